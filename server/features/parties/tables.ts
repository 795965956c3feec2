import type { Generated } from "kysely";

import type { GuestScreen } from "#contract/guest-device.ts";
import type { TablePolicies } from "#server/platform/table-policy.ts";
import * as store from "./guest-store.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    /** `ends_at` is set in advance to the automatic end, so that a party ends without a job. */
    parties: {
      id: Generated<number>;
      name: string;
      created_by: number;
      starts_at: number;
      ends_at: number;
      /** 1 if a member ended the party, 0 if it ends or ended automatically. */
      is_ended_early: Generated<number>;
      /** In the party's QR code for guests; `null` if they cannot join with it. */
      guest_secret: string | null;
      /** 0 if members can put up no photos and are not asked for one. */
      is_photo_on: Generated<number>;
      /** `null` until members are asked for a photo, which happens at most once. */
      photo_asked_at: number | null;
      /** 1 if the members have been told that the party is over. */
      is_end_told: Generated<number>;
    };
    /**
     * Stays at parties. Beers count from `counts_from` (0: the start of the party), which may be up to two hours before
     * the party, until `counts_until` (`null`: the end of the party).
     */
    party_members: {
      party_id: number;
      user_id: number;
      counts_from: Generated<number>;
      counts_until: number | null;
      is_story_seen: Generated<number>;
    };
    /** At most one per party and member. */
    party_photos: {
      id: string;
      party_id: number;
      user_id: number;
      screen: Buffer;
      phone: Buffer;
      created_at: number;
      /** 1 if the member's own year review shows it. */
      is_in_review: Generated<number>;
    };

    /** Guests have no account. `name` is `null` once the party is over. */
    party_guests: {
      id: Generated<number>;
      party_id: number;
      name: string | null;
      /** The party's creator for a guest who joined by QR code. */
      added_by: number;
      /** SHA-256 of the guest token in hex; `null` for a guest without an own device. */
      token_hash: string | null;
      request: Exclude<GuestScreen["request"], null> | null;
      /** Kept while the request is open or accepted. */
      requested_name: string | null;
    };
    /** Count only at the party, not in the counter. */
    party_guest_beers: {
      id: Generated<number>;
      guest_id: number;
      /** Idempotency key of the tap, unique per guest; kept even if the beer is undone. */
      key: string;
      /** Time at which the beer was drunk. */
      at: number;
      booked_at: number;
      /** 1 if the beer was undone, possibly before its tap arrived. An undone beer never counts again. */
      is_undone: Generated<number>;
    };
  }
}

export const tables = {
  parties: {
    backup: "included",
    onRestore: store.deleteSecrets,
    times: { photo_asked_at: { ahead: 0 } },
    memberColumns: { created_by: { onAccountDeletion: "keep", exportedAs: "parties" } },
  },
  party_members: {
    backup: "included",
    // A member who deletes the account can leave beers to the group. They still count at the party, which needs this
    // row.
    memberColumns: { user_id: { onAccountDeletion: "keep", exportedAs: "parties" } },
  },
  party_photos: {
    backup: "included",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "party_photos" } },
  },
  party_guests: {
    backup: "included",
    // A backup made during a party contains names of guests, but the party may be over at the restore.
    onRestore: async (tx, now) => {
      await store.deleteNames(tx, now);
      await store.forgetDevices(tx, Number.MAX_SAFE_INTEGER);
    },
    // Guests and their beers remain when the member who added them deletes the account.
    memberColumns: { added_by: { onAccountDeletion: "keep", exportedAs: "party_guests" } },
  },
  party_guest_beers: { backup: "included" },
} satisfies TablePolicies;
