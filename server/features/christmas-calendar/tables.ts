import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/tables.ts" {
  interface Tables {
    /** One picture per day and door, as a large screen and as a phone shows it (WebP). */
    calendar_pictures: { date: string; /** Unguessable. */ id: string; screen: Buffer; phone: Buffer };
    /** Who fills which door. A picture behind such a door is that member's. */
    calendar_assignments: {
      date: string;
      user_id: number;
      /** How many were pushed so far, and how many were shown in the app. */
      reminders: Generated<number>;
      shown_reminders: Generated<number>;
      /** 0 until the member was told by push that the door was dealt to her or him, and until a page has shown it. */
      is_told: Generated<number>;
      is_seen: Generated<number>;
    };
    calendar_openings: { user_id: number; date: string; opened_at: number };
    /** At most one row: the music that the operator chose instead of ours. `id` changes with the file. */
    calendar_audio: { id: string; media: string; bytes: Buffer; size: number };
  }
}

export const tables = {
  calendar_pictures: { backup: "included" },
  calendar_assignments: {
    backup: "included",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "calendar_doors_filled" } },
  },
  calendar_openings: {
    backup: "included",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "calendar_doors_opened" } },
  },
  calendar_audio: { backup: "included" },
} satisfies TablePolicies;
