import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";
import { deleteNames } from "./store.ts";

export interface PartyGuestsTables {
  /** People without an account at a party; `name` is `null` once the party is over. */
  party_guests: { id: Generated<number>; party_id: number; name: string | null; added_by: number };
  /** Beers of guests; they count only at their party. */
  party_guest_beers: {
    id: Generated<number>;
    guest_id: number;
    /** Idempotency key of the tap; permanently unique per guest. */
    key: string;
    /** Time at which the beer was drunk. */
    at: number;
    booked_at: number;
    /** 1 if the beer was undone, possibly before its tap arrived; it never counts again. */
    is_undone: Generated<number>;
  };
}

export const tables = {
  party_guests: {
    backup: "included",
    // A backup that was made during the party contains the names.
    onRestore: deleteNames,
    // The beers of guests are kept, like the party.
    memberColumns: { added_by: { onAccountDeletion: "keep", exportedAs: "party_guests" } },
  },
  party_guest_beers: { backup: "included" },
} satisfies TablePolicies;
