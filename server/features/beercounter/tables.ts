import type { Generated } from "kysely";

import type { BeerKind } from "#contract/beercounter.ts";
import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/tables.ts" {
  interface Tables {
    beers: {
      id: Generated<number>;
      user_id: number;
      /** The Idempotency-Key of the tap; unique per member, permanently, so that a late repetition never counts twice. */
      key: string | null;
      /** When it was drunk. */
      at: number;
      /** When it was booked, if it is late. */
      booked_at: number | null;
      /** "0,0" without alcohol; null: an ordinary one. */
      kind: BeerKind;
      /** The counters right after this beer: the answer that the same key gets again. */
      group_total: number;
      own_total: number;
    };
    /** Taps that were taken back and never count again, whether their beer had been booked (`beer_id`) or not. */
    undone_beers: {
      id: Generated<number>;
      user_id: number;
      key: string | null;
      beer_id: number | null;
      /** The answer to the key, for repetitions. */
      group_total: number;
      own_total: number;
    };
    /** One row: the group's counter. `version` rises with every change of anything a counter or chart shows. */
    beer_group: { id: number; total: number; version: number; first_day: string | null };
    /** The beers of a member, all and by weekday. */
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
    /** `day` is `2026-11-21`, in the TIME_ZONE that the settings name. */
    beer_member_days: { day: string; user_id: number; total: number; alcohol_free: Generated<number> };
  }
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
      // Sums of the beers, which are exported one by one.
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
