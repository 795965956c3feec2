import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    /** The uploaded music, at most one row. A new file has a new `id`. */
    calendar_audio: { id: string; media: string; bytes: Buffer; size: number };
  }
}

export const tables = { calendar_audio: { backup: "included" } } satisfies TablePolicies;
