import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { groupWords } from "./group.ts";

const minute = 60;

/** How the group is called now, and how it would be called if the Verwaltung had changed nothing. */
export const managedGroup = z.object({ ...groupWords.shape, configured: groupWords });
export type ManagedGroup = z.output<typeof managedGroup>;

export const getManagedGroup = endpoint({
  method: "GET",
  path: "/api/admin/group",
  who: ["admin"],
  rate: { per: "member", limit: 120, seconds: minute },
  maxBody: 0,
  reply: managedGroup,
});

/** Renames the group, everywhere and at once. A value equal to the configured one follows the configuration again. */
export const changeGroup = endpoint({
  method: "POST",
  path: "/api/admin/group",
  who: ["admin"],
  rate: { per: "member", limit: 30, seconds: minute },
  maxBody: 32_768,
  body: groupWords,
  reply: z.object({ message: z.string() }),
});
