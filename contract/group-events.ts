import * as z from "zod/mini";

import { event } from "./event.ts";

/**
 * The group settings have changed; pages refetch them. In a separate file, because only pages of
 * members load it.
 */
export const groupChanged = event({ channel: "private-beercounter", name: "group-changed", data: z.object({}) });
