import { type Db, inTransaction } from "#server/db/connect.ts";
import type { Context } from "#server/platform/context.ts";
import { coalesce } from "#server/platform/jobs/coalesce.ts";
import { outageFields } from "#server/platform/log.ts";
import type { Driver, Observation, Target } from "../drivers/driver.ts";
import { queryPlayers, type Protocol } from "../protocols/query-players.ts";
import { isQueryable, type SwitchAction } from "../rules.ts";
import { findLeasedSwitch, type GameServerRow, savedState, updateState } from "../store.ts";
import { type GameServerState, reduce, type ServerEvent } from "./server-state.ts";
import { type Timings, withTimeout } from "./timings.ts";

/**
 * The member who requests a start or stop; `null` for the app. Tasks of the previous app version
 * contain no name.
 */
export type RequestedBy = { readonly id: number; readonly name?: string; readonly avatarId: string | null } | null;

/**
 * Announces a game server's new state to open pages, in the transaction that stores it; an empty
 * message only makes them refetch. `failedStartAt` is the epoch ms of the failed start that the
 * message is about.
 */
export type Announce = (
  tx: Db,
  serverId: number,
  message: string,
  by: RequestedBy,
  failure?: { readonly isFailure?: boolean; readonly failedStartAt?: number | null },
) => Promise<void>;

/** A start or stop that this instance makes. */
export interface RunningSwitch {
  action: SwitchAction;
  /** `true` to stop the server as soon as it has started. */
  isStopRequested: boolean;
}

/** Context that all supervised servers share. */
export interface SupervisionContext extends Pick<Context, "db" | "clock" | "log"> {
  readonly timings: Timings;
  /** Aborted when another instance becomes the leader. */
  readonly signal: AbortSignal;
  readonly announce: Announce;
  /**
   * Returns the given message about an outage, or "" if it was just announced for another server.
   */
  readonly throttleOutage: (message: string) => string;
  /** Returns `true` if a member has the page of game servers open. */
  readonly isWatched: () => boolean;
}

export type SupervisedServer = ReturnType<typeof createSupervisedServer>;

const unreachable: Observation = { kind: "unreachable" };

/** Log texts about unreachable drivers by driver kind, for the operator. */
const unreachableReasons: Record<string, string> = {
  docker: "ENGINE_URL: the container engine does not answer. `stammtisch doctor` says why.",
  unit: "systemd does not answer.",
  script: "The script did not exit with 0 or 3 within 2 seconds when it was called with `status`.",
};

/**
 * Creates a supervised server from its row: its settings, its state, and functions that change the
 * state.
 */
export function createSupervisedServer(firstRow: GameServerRow, driver: Driver, context: SupervisionContext) {
  const { db, clock, log, timings, signal, announce, throttleOutage } = context;
  let row = firstRow;
  let state: GameServerState = {
    ...savedState(row),
    observation: null,
    observedDuring: null,
    lastStartedAt: null,
    hasAnswered: isQueryable(row) ? false : null,
    crashes: [],
  };
  /** A start or stop that another instance began and has not finished; `null` if none. */
  let inherited = findLeasedSwitch(row, clock.now());
  let observedAt = -Infinity;
  let queriedAt = -Infinity;
  let queue = Promise.resolve();

  const server = {
    /** The start or stop that this instance makes; `null` if none. */
    runningSwitch: null as RunningSwitch | null,
    /** Settles once the database has recorded the end of the last start or stop. */
    ended: Promise.resolve() as Promise<unknown>,
    driver,
    get row(): GameServerRow {
      return row;
    },
    get state(): GameServerState {
      return state;
    },
    get target(): Target {
      return { id: row.id, ref: row.ref, graceSeconds: row.grace_seconds };
    },
    /** Milliseconds since the driver's last report. */
    observationAge: () => performance.now() - observedAt,
    /** Milliseconds since the game was last asked for its players. */
    queryAge: () => performance.now() - queriedAt,

    /** Asks the driver for its state. Never rejects. */
    refresh: coalesce(async () => {
      const during = switching();
      // Enforces a timeout, because pages must not depend on the driver's promise to answer in
      // time.
      const inspected = driver.inspect(server.target).catch(() => unreachable);
      const observation = await withTimeout(inspected, timings.inspectMs, unreachable);
      observedAt = performance.now();
      await applyOrLog({ type: "observed", observation, during });
    }),

    /** Asks the game for its players. Never rejects. */
    refreshPlayers: coalesce(async () => {
      queriedAt = performance.now();
      const { query, address } = row;
      const players = isQueryable(row) ? await queryPlayers(query as Protocol, address!) : null;
      await applyOrLog({ type: "players", players });
    }),

    /**
     * Applies an event after all previous events. Stores the new state and its announcements in one
     * transaction, with those of `announceToo`. Rejects and keeps the old state if the database
     * fails.
     */
    apply(event: ServerEvent, announceToo: (tx: Db) => Promise<void> = async () => {}): Promise<void> {
      const applied = queue.then(() => reduceAndStore(event, announceToo));
      queue = applied.catch(() => {});
      return applied;
    },

    /** Applies settings that an administrator has changed. */
    updateSettings(changed: GameServerRow): void {
      row = changed;
      state = { ...state, hasAnswered: isQueryable(row) ? (state.hasAnswered ?? false) : null };
      inherited &&= findLeasedSwitch(row, clock.now());
    },
  };
  return server;

  function switching(): SwitchAction | null {
    return server.runningSwitch?.action ?? inherited;
  }

  async function applyOrLog(event: ServerEvent): Promise<void> {
    // Ignores the error: the old state is kept, and the next report of the driver is stored
    // instead.
    await server.apply(event).catch((error: unknown) => {
      log.warn("game-server-state-save-failed", { server: row.id, ...outageFields(error) });
    });
  }

  async function reduceAndStore(event: ServerEvent, announceToo: (tx: Db) => Promise<void>): Promise<void> {
    if (signal.aborted && event.type !== "requested") return;
    const { state: next, announcement } = reduce(state, event, {
      name: row.display_name,
      idleStopMinutes: row.idle_stop_minutes,
      switching: switching(),
      isOwnSwitch: server.runningSwitch !== null,
      now: clock.now(),
    });
    const isGone = next.phase === "unreachable";
    const announced = await inTransaction(db, async (tx) => {
      if (!(await updateState(tx, row.id, state, next))) return null;
      await announceToo(tx);
      if (!announcement) return "";
      const { isOutage, message } = announcement;
      const text = isOutage ? throttleOutage(message) : message;
      const hasFailed = next.phase === "crashed" || next.phase === "missing" || next.startFailure !== null;
      const isFailure = isOutage ? isGone : hasFailed;
      const isKnownFailure = isOutage || state.startFailure !== null;
      const failedStartAt = isKnownFailure ? null : (next.startFailure?.at ?? null);
      await announce(tx, row.id, text, null, { isFailure, failedStartAt });
      return text;
    });
    if (announced === null) return;
    state = next;
    if (!announcement?.isOutage || announced === "") return;
    if (isGone) log.warn("game-servers-unreachable", { server: row.id, reason: unreachableReasons[row.driver] });
    else log.info("game-servers-reachable", { server: row.id });
  }
}
