import type { Generated } from "kysely";

import type { BeerKind } from "#contract/beercounter.ts";
import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    beers: {
      id: Generated<number>;
      user_id: number;
      /** Idempotency key of the tap, unique per member, so that even a late retry does not count. */
      key: string | null;
      /** Time at which the beer was drunk. */
      at: number;
      /** Time at which a late beer was booked; `null` for other beers. */
      booked_at: number | null;
      /** `"0,0"` for a non-alcoholic beer, otherwise `null`. */
      kind: BeerKind;
      /** Totals right after this beer, the answer to a retried tap. */
      group_total: number;
      own_total: number;
      /** The other member who booked the beer, if any. */
      by_user_id: number | null;
      /** Name of the tablet at which the beer was booked, if any; the tablet itself may be gone. */
      by_tablet: string | null;
    };
    /** Undone taps, whose keys never count again. `beer_id` is `null` if the undo arrived before the tap. */
    undone_beers: {
      id: Generated<number>;
      user_id: number;
      key: string | null;
      beer_id: number | null;
      /** Answer to a retried tap. */
      group_total: number;
      own_total: number;
    };
    /** A single row. `version` rises with every change of a counter or chart. */
    beer_group: { id: number; total: number; version: number; first_day: string | null };
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
    /** `day` is like `2026-11-21`, in the time zone that findTimeZone() returns. */
    beer_member_days: { day: string; user_id: number; total: number; alcohol_free: Generated<number> };

    /** Kept even if the beer is undone, so that a milestone is reached only once. */
    milestones: {
      id: Generated<number>;
      kind: "group" | "member";
      count: number;
      user_id: number;
      at: number;
    };
  }
}

export const tables = {
  beers: {
    backup: "included",
    memberColumns: {
      user_id: { onAccountDeletion: "by-feature", exportedAs: "beers" },
      by_user_id: { onAccountDeletion: "keep", exportedAs: "beers_for_others" },
    },
  },
  undone_beers: {
    backup: "included",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "taps_taken_back" } },
  },
  beer_group: { backup: "included" },
  beer_members: {
    backup: "included",
    memberColumns: {
      // The account export contains each beer instead.
      user_id: { onAccountDeletion: "by-feature", exportedAs: null },
    },
  },
  beer_member_days: {
    backup: "included",
    memberColumns: {
      // The account export contains each beer instead.
      user_id: { onAccountDeletion: "by-feature", exportedAs: null },
    },
  },
  milestones: {
    backup: "included",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "milestones" } },
  },
} satisfies TablePolicies;
