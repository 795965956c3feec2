import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";
import { days, hours } from "#server/time.ts";
import * as store from "./store.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    /** Settings, the last request to start or stop, and the state as the leader knows it. */
    game_servers: {
      id: Generated<number>;
      display_name: string;
      driver: string;
      /** Name or program for the driver. Command lines of programs are never sent to a browser. */
      ref: string;
      /** `host:port` for players and queries; `null` if unknown. */
      address: string | null;
      query: string;
      grace_seconds: number | null;
      idle_stop_minutes: number | null;
      position: number;
      created_at: number;
      /** 0 if the server was restored and is not enabled yet, so that its program must not run. */
      is_active: Generated<number>;
      /**
       * Machine of a program of the driver `command`; `null` for other drivers, and for programs of earlier versions
       * until they are enabled.
       */
      machine: string | null;

      // `SavedState` in rules.ts contains the columns below. Its field `requested` is the column `wanted`, `driverStatus`
      // is `word`, `requestedBy` and `requestedAt` are `changed_by` and `changed_at`, and `switching` is `changing`.
      /** `start`, `stop` or `null`. After a requested stop, the end of the server is not a crash. */
      wanted: string | null;
      /** `null` for the app. */
      changed_by: number | null;
      changed_at: number | null;
      /** The start or stop in progress, and the epoch ms by which the driver has completed or refused it. */
      changing: string | null;
      changing_until: Generated<number>;

      phase: Generated<string>;
      /** The driver's own word for the status. */
      word: Generated<string>;
      is_alive: Generated<number>;
      run_since: number | null;
      players: string | null;
      /** Start of the emptiness, and time of the automatic stop. */
      empty_since: number | null;
      auto_stop_at: number | null;
      /** `StartFailure` as JSON; `null` if the last start did not fail. */
      start_failure: string | null;
    };
  }
}

export const tables = {
  game_servers: {
    backup: "included",
    times: {
      changed_at: { ahead: 0, otherwise: null },
      changing_until: { ahead: hours(1) },
      run_since: { ahead: 0, otherwise: "now" },
      empty_since: { ahead: 0, otherwise: "now" },
      auto_stop_at: { ahead: days(1), otherwise: null },
    },
    // Members must not be able to start programs that a backup brought. Containers must exist on this machine, so they
    // remain active.
    onRestore: store.deactivatePrograms,
    memberColumns: {
      // Member who last started or stopped the server, until the next request.
      changed_by: { onAccountDeletion: "keep", exportedAs: "game_servers_changed_last" },
    },
  },
} satisfies TablePolicies;
