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
      /** Numbers of reminders that were pushed, and that were shown in the app. */
      reminders: Generated<number>;
      shown_reminders: Generated<number>;
      /** 0 until the member was told by push that the door was dealt to her or him, and until a page has shown it. */
      is_told: Generated<number>;
      is_seen: Generated<number>;
      /** The line that the member has written below the picture; `null` for an empty door. */
      text: Generated<string | null>;
      /** 1 if the others are not told whose picture it is; 0 for an empty door. */
      is_hidden: Generated<number>;
    };
    calendar_openings: { user_id: number; date: string; opened_at: number };
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
} satisfies TablePolicies;
