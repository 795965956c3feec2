import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";
import { deactivatePrograms } from "./store.ts";

export interface GameServersTables {
  /** Settings of the administrator, the last request, and the state known to the leading instance. */
  game_servers: {
    id: Generated<number>;
    display_name: string;
    /** docker, unit, script or command. */
    driver: string;
    /** The driver's name or program; never leaves the server. */
    ref: string;
    /** `host:port` for players and for queries. */
    address: string | null;
    /** minecraft, source, quake3 or none. */
    query: string;
    grace_seconds: number | null;
    idle_stop_minutes: number | null;
    position: number;
    created_at: number;
    /** 0: restored from a backup and not enabled on this machine yet. Its program must not run. */
    is_active: Generated<number>;

    // The columns below are SavedState in rules.ts; `wanted`, `changed_…` and `word` are `requested…` and `driverStatus` there.
    /** Last request: `start` or `stop`. A requested stop is not a crash. */
    wanted: string | null;
    /** Member's id; `null` for the app. */
    changed_by: number | null;
    changed_at: number | null;
    /** The running start or stop, and the epoch ms until which it is leased. */
    changing: string | null;
    changing_until: Generated<number>;

    /** A `Phase` of contract/game-servers.ts. */
    phase: Generated<string>;
    /** The driver's own status. */
    word: Generated<string>;
    is_alive: Generated<number>;
    run_since: number | null;
    /** JSON of `Players`; `null` if unknown. */
    players: string | null;
    /** Epoch ms since the server is empty, and of its automatic stop. */
    empty_since: number | null;
    auto_stop_at: number | null;
    /** JSON of `StartFailure`; `null` if the last start did not fail. */
    start_failure: string | null;
  };
}

export const tables = {
  game_servers: {
    backup: "included",
    // Members must not be able to start programs through a backup. Containers are set up on this machine.
    onRestore: deactivatePrograms,
    memberColumns: {
      // The member who last started or stopped it, until the next request.
      changed_by: { onAccountDeletion: "keep", exportedAs: "game_servers_changed_last" },
    },
  },
} satisfies TablePolicies;
