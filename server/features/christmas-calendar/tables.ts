import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";

export interface ChristmasCalendarTables {
  /** One picture per day, as WebP for large screens and for phones. */
  calendar_pictures: { date: string; /** Unguessable. */ id: string; screen: Buffer; phone: Buffer };
  /** The member who fills a door; a picture behind an assigned door belongs to that member. */
  calendar_assignments: {
    date: string;
    user_id: number;
    /** Number of reminders sent by push, and number of reminders shown in the app. */
    reminders: Generated<number>;
    shown_reminders: Generated<number>;
    /** 0 until the member was told by push that the door was dealt (`is_told`), and until a page has shown it (`is_seen`). */
    is_told: Generated<number>;
    is_seen: Generated<number>;
    /** Text that the member has written below the picture; `null` for an empty door. */
    text: Generated<string | null>;
    /** 1 if the member's name is hidden from others; 0 for an empty door. */
    is_hidden: Generated<number>;
  };
  calendar_openings: { user_id: number; date: string; opened_at: number };
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
