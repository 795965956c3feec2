import type { Generated } from "kysely";

import type { BeerKind } from "#contract/beercounter.ts";
import type { TablePolicies } from "#server/platform/table-policy.ts";

export interface BeercounterTables {
  beers: {
    id: Generated<number>;
    user_id: number;
    /** The Idempotency-Key of the tap; permanently unique per member, so that a late retry never counts twice. */
    key: string | null;
    /** Epoch ms when it was drunk. */
    at: number;
    /** Epoch ms when a late beer was booked; otherwise `null`. */
    booked_at: number | null;
    /** "0,0" for a non-alcoholic beer, otherwise `null`. */
    kind: BeerKind;
    /** The counters right after this beer, returned again for the same key. */
    group_total: number;
    own_total: number;
  };
  /** Undone taps, which never count again; `beer_id` if their beer had been booked. */
  undone_beers: {
    id: Generated<number>;
    user_id: number;
    key: string | null;
    beer_id: number | null;
    /** The answer that a repeated request gets. */
    group_total: number;
    own_total: number;
  };
  /** A single row with the group's counter. `version` rises with every change of a counter or chart. */
  beer_group: { id: number; total: number; version: number; first_day: string | null };
  /** The beers of a member in total and by weekday. */
  beer_members: {
    user_id: number;
    total: number;
    monday: Generated<number>;
    tuesday: Generated<number>;
    wednesday: Generated<number>;
    thursday: Generated<number>;
    friday: Generated<number>;
    saturday: Generated<number>;
    sunday: Generated<number>;
  };
  /** `day` is like `2026-11-21`, in the stored time zone. */
  beer_member_days: { day: string; user_id: number; total: number; alcohol_free: Generated<number> };
}

export const tables = {
  beers: {
    backup: "included",
    memberColumns: { user_id: { onAccountDeletion: "by-feature", exportedAs: "beers" } },
  },
  undone_beers: {
    backup: "included",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "taps_taken_back" } },
  },
  beer_group: { backup: "included" },
  beer_members: {
    backup: "included",
    memberColumns: {
      // Sums of the beers, which are exported individually.
      user_id: { onAccountDeletion: "by-feature", exportedAs: null },
    },
  },
  beer_member_days: {
    backup: "included",
    memberColumns: {
      // Sums of the beers, which are exported one by one.
      user_id: { onAccountDeletion: "by-feature", exportedAs: null },
    },
  },
} satisfies TablePolicies;
