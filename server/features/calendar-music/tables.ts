import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/tables.ts" {
  interface Tables {
    /** At most one row: the music that the operator chose instead of ours. `id` changes with the file. */
    calendar_audio: { id: string; media: string; bytes: Buffer; size: number };
  }
}

export const tables = { calendar_audio: { backup: "included" } } satisfies TablePolicies;
