import type { TablePolicies } from "#server/platform/table-policy.ts";

export interface CalendarMusicTables {
  /** At most one row: the operator's own music. `id` changes with the file. */
  calendar_audio: { id: string; media: string; bytes: Buffer; size: number };
}

export const tables = { calendar_audio: { backup: "included" } } satisfies TablePolicies;
