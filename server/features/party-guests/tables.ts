import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";
import { deleteNames } from "./store.ts";

declare module "#server/db/tables.ts" {
  interface Tables {
    /** People without an account at a party; `name` is `null` once the party is over. */
    party_guests: { id: Generated<number>; party_id: number; name: string | null; added_by: number };
    /** Their beers, in no other count than their party's. */
    party_guest_beers: {
      id: Generated<number>;
      guest_id: number;
      /** The Idempotency-Key of the tap; unique per guest, permanently. */
      key: string;
      /** When it was drunk. */
      at: number;
      booked_at: number;
      /** 1: it was taken back, also if its tap has not arrived yet, and never counts again. */
      is_undone: Generated<number>;
    };
  }
}

export const tables = {
  party_guests: {
    backup: "included",
    // A backup from the evening has the names.
    onRestore: deleteNames,
    // The beers of guests are kept, as is the party.
    memberColumns: { added_by: { onAccountDeletion: "keep", exportedAs: "party_guests" } },
  },
  party_guest_beers: { backup: "included" },
} satisfies TablePolicies;
