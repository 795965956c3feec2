import type { Generated } from "kysely";

import type { BeerKind } from "#contract/beercounter.ts";
import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    beers: {
      id: Generated<number>;
      user_id: number;
      /** Idempotency key of the tap; unique per member, so that even a late retry does not count. */
      key: string | null;
      /** Epoch ms at which the beer was drunk. */
      at: number;
      /** Epoch ms at which a late beer was booked; `null` for other beers. */
      booked_at: number | null;
      /** `"0,0"` for a non-alcoholic beer, otherwise `null`. */
      kind: BeerKind;
      /** Totals right after this beer, which a retried tap gets as its answer. */
      group_total: number;
      own_total: number;
    };
    /**
     * Undone taps, whose keys never count again. `beer_id` is `null` if the undo arrived before the
     * tap.
     */
    undone_beers: {
      id: Generated<number>;
      user_id: number;
      key: string | null;
      beer_id: number | null;
      /** Totals that a retried tap gets as its answer. */
      group_total: number;
      own_total: number;
    };
    /** A single row with the group's counter. `version` rises with every change of a counter or chart. */
    beer_group: { id: number; total: number; version: number; first_day: string | null };
    /** Number of a member's beers, in total and by weekday. */
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
    /**
     * Number of a member's beers on one day. `day` is like `2026-11-21`, in the time zone that
     * `findTimeZone` returns.
     */
    beer_member_days: { day: string; user_id: number; total: number; alcohol_free: Generated<number> };

    /**
     * Reached milestones of the group and of members. A milestone is kept even if its beer is undone,
     * so it is reached only once.
     */
    milestones: {
      id: Generated<number>;
      kind: "group" | "member";
      count: number;
      /** The member whose beer reached the milestone. */
      user_id: number;
      at: number;
    };
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
      // The account export omits these sums, because it contains each beer.
      user_id: { onAccountDeletion: "by-feature", exportedAs: null },
    },
  },
  beer_member_days: {
    backup: "included",
    memberColumns: {
      // The account export omits these sums, because it contains each beer.
      user_id: { onAccountDeletion: "by-feature", exportedAs: null },
    },
  },
  milestones: {
    backup: "included",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "milestones" } },
  },
} satisfies TablePolicies;
