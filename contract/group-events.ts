import * as z from "zod/mini";

import { event } from "./event.ts";

/** The group settings have changed: refetch them. A separate file, since only members' pages load it. */
export const groupChanged = event({ channel: "private-beercounter", name: "group-changed", data: z.object({}) });
