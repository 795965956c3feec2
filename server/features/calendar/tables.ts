import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";
import type { NoticeKind } from "./notice-rules.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    /** One picture per day, as WebP for large screens and for phones. */
    calendar_pictures: { date: string; /** Unguessable. */ id: string; screen: Buffer; phone: Buffer };
    /** A picture behind an assigned door belongs to its member. */
    calendar_assignments: {
      date: string;
      user_id: number;
      /** Reminders sent by push; `shown_reminders` count those in the app. */
      reminders: Generated<number>;
      shown_reminders: Generated<number>;
      /** 0 until the member was told of a dealt door, by push or on a page. */
      is_told: Generated<number>;
      /** 0 until a page has shown a dealt door to the member. */
      is_seen: Generated<number>;
      /** Text below the picture; `null` for an empty door. */
      text: Generated<string | null>;
      /** 1 if the member's name is hidden from others. */
      is_hidden: Generated<number>;
    };
    calendar_openings: { user_id: number; date: string; opened_at: number };

    /** Pictures that an administrator has revealed before their day. */
    calendar_reveals: { picture_id: string; user_id: number; at: number };

    /** Includes at most one preview per year. `seed` and `inputs` determine the dealt doors (lottery-rules.ts). */
    calendar_dealings: {
      id: Generated<number>;
      year: number;
      /** 128 random bits in hexadecimal. */
      seed: string;
      /** `DealingInputs` as JSON. */
      inputs: string;
      /** `left`: a member has left or was disabled; `null`: an administrator started the dealing. */
      reason: "left" | null;
      /** `null` for a preview. */
      dealt_at: number | null;
      /** 0 while administrators must be told of an automatic dealing. */
      is_announced: Generated<number>;
    };
    /** An offer is open while its door is unchanged (`listOpenSwaps`). */
    calendar_swaps: {
      id: Generated<number>;
      date: string;
      from_id: number;
      to_id: number;
      /** Picture at the time of the offer; `null` if the door was empty. */
      picture_id: string | null;
    };

    /** At most one row. A new file has a new `id`. */
    calendar_audio: { id: string; media: string; bytes: Buffer; size: number };

    /** Kept until the member dismisses them. */
    calendar_notices: {
      id: Generated<number>;
      user_id: number;
      at: number;
      kind: NoticeKind;
      date: string;
      /** New day of the door for the kind `moved`, else `null`. */
      moved_to: string | null;
    };

    /** Removed pictures can be restored for a day. */
    calendar_removed_pictures: {
      id: string;
      date: string;
      screen: Buffer;
      phone: Buffer;
      /** `null` for a picture of administrators. */
      owner_id: number | null;
      text: string | null;
      is_hidden: number;
      /** 0 if an administrator removed it. */
      is_by_owner: number;
      removed_at: number;
    };
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
  calendar_reveals: {
    backup: "excluded",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "audit" } },
  },
  calendar_dealings: { backup: "included" },
  calendar_swaps: {
    backup: "excluded",
    memberColumns: {
      from_id: { onAccountDeletion: "delete", exportedAs: "calendar_swaps" },
      to_id: { onAccountDeletion: "delete", exportedAs: "calendar_swaps" },
    },
  },
  calendar_audio: { backup: "included" },
  calendar_notices: {
    backup: "included",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "calendar_notices" } },
  },
  calendar_removed_pictures: {
    backup: "excluded",
    memberColumns: { owner_id: { onAccountDeletion: "delete", exportedAs: "calendar_pictures_removed" } },
  },
} satisfies TablePolicies;
