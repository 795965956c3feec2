import * as z from "zod/mini";

import { event } from "./event.ts";

/** The group's settings were changed: read them again. In a file of its own, since only members' pages load it. */
export const groupChanged = event({ channel: "private-beercounter", name: "group-changed", data: z.object({}) });
