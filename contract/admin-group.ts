import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage } from "./fields.ts";
import { groupWords } from "./group.ts";

/** The group settings, and those of the configuration, which apply where an administrator changed nothing. */
export const managedGroup = z.object({ ...groupWords.shape, configured: groupWords });
export type ManagedGroup = z.output<typeof managedGroup>;

export const getManagedGroup = endpoint("GET /api/admin/group", {
  who: ["admin"],
  reply: managedGroup,
});

/** Changes the group settings. A value equal to the configured one follows the configuration again. */
export const changeGroup = endpoint("POST /api/admin/group", {
  who: ["admin"],
  maxBody: 32_768,
  body: groupWords,
  reply: fixedMessage("Gespeichert."),
});
