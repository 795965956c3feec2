import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";
import { deactivatePrograms } from "./store.ts";

declare module "#server/db/tables.ts" {
  interface Tables {
    /** What the administrator set up, what was requested last, and what the leading instance knows. */
    game_servers: {
      id: Generated<number>;
      display_name: string;
      /** docker, unit, script or command. */
      driver: string;
      /** What the driver calls it; never leaves the server. */
      ref: string;
      /** `host:port`, for the players and for the query. */
      address: string | null;
      /** minecraft, source, quake3 or none. */
      query: string;
      grace_seconds: number | null;
      idle_stop_minutes: number | null;
      position: number;
      created_at: number;
      /** 0: restored from a backup, and not enabled on this machine yet. Its program must not run. */
      is_active: Generated<number>;

      // What follows is SavedState in rules.ts, where `wanted`, `changed_…` and `word` are `requested…` and `driverStatus`.
      /** `start` or `stop`, what was requested last: a requested stop is no crash. */
      wanted: string | null;
      /** Null: the app itself. */
      changed_by: number | null;
      changed_at: number | null;
      /** The change under way, and until when its lease lasts: after a crash it ends by itself. */
      changing: string | null;
      changing_until: Generated<number>;

      /** A `Phase` of rules.ts. */
      phase: Generated<string>;
      /** As the driver calls the state. */
      word: Generated<string>;
      is_alive: Generated<number>;
      run_since: number | null;
      /** JSON of `Players`; null: unknown. */
      players: string | null;
      /** Since when nobody plays, and when it stops because of that. */
      empty_since: number | null;
      auto_stop_at: number | null;
      /** JSON of `StartFailure`; null: the last start did not fail. */
      start_failure: string | null;
    };
  }
}

export const tables = {
  game_servers: {
    backup: "included",
    // Members must not be able to start programs from a backup. Containers were set up on this machine.
    onRestore: deactivatePrograms,
    memberColumns: {
      // Names the member who started it last; the next change overwrites it.
      changed_by: { onAccountDeletion: "keep", exportedAs: "game_servers_changed_last" },
    },
  },
} satisfies TablePolicies;
