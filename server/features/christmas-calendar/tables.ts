import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    /** One picture per day, as WebP for large screens and for phones. */
    calendar_pictures: { date: string; /** Unguessable. */ id: string; screen: Buffer; phone: Buffer };
    /** The member who fills a door; a picture behind an assigned door belongs to that member. */
    calendar_assignments: {
      date: string;
      user_id: number;
      /** Number of reminders sent by push. */
      reminders: Generated<number>;
      /** Number of reminders shown in the app. */
      shown_reminders: Generated<number>;
      /** 0 until the member was told of a dealt door, by push or on a page; otherwise 1. */
      is_told: Generated<number>;
      /** 0 until a page has shown a dealt door to the member; otherwise 1. */
      is_seen: Generated<number>;
      /** Text that the member has written below the picture; `null` for an empty door. */
      text: Generated<string | null>;
      /** 1 if the member's name is hidden from others; 0 for an empty door. */
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
