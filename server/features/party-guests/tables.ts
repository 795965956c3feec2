import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";
import { deleteNames } from "./store.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    /** Guests of parties, who have no account. `name` is `null` once the party is over. */
    party_guests: { id: Generated<number>; party_id: number; name: string | null; added_by: number };
    /** Beers of party guests. The beers count only at the party, not in the counter. */
    party_guest_beers: {
      id: Generated<number>;
      guest_id: number;
      /** Idempotency key of the tap, unique per guest; kept even if the beer is undone. */
      key: string;
      /** Epoch milliseconds at which the beer was drunk. */
      at: number;
      booked_at: number;
      /**
       * 1 if the beer was undone, possibly before its tap arrived. An undone beer never counts again.
       */
      is_undone: Generated<number>;
    };
  }
}

export const tables = {
  party_guests: {
    backup: "included",
    // A backup made during a party contains names of guests, but the party may be over at the
    // restore.
    onRestore: deleteNames,
    // Guests and their beers remain at the party when the member who added them deletes the
    // account.
    memberColumns: { added_by: { onAccountDeletion: "keep", exportedAs: "party_guests" } },
  },
  party_guest_beers: { backup: "included" },
} satisfies TablePolicies;
