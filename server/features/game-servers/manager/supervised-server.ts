import { coalesce } from "#server/platform/coalesce.ts";
import type { Context } from "#server/platform/context.ts";
import { outageFields } from "#server/platform/log.ts";
import type { Driver, Observation, Target } from "../drivers/driver.ts";
import { queryPlayers, type Protocol } from "../protocols/query-players.ts";
import { isQueryable, type SwitchAction } from "../rules.ts";
import { findLeasedChange, type GameServerRow, savedState, updateState } from "../store.ts";
import { type GameServerState, reduce, type ServerEvent } from "./server-state.ts";
import { type Timings, withTimeout } from "./timings.ts";

/** The member who changes something; null: the app itself. Tasks of the version before have no name. */
export type ChangedBy = { readonly id: number; readonly name?: string; readonly avatarId: string | null } | null;

/** A start or stop that this instance is making. */
export interface Change {
  action: SwitchAction;
  /** Stop the server as soon as it has started. */
  isStopRequested: boolean;
}

/** What all supervised servers share. */
export interface SupervisionContext extends Pick<Context, "db" | "clock" | "log"> {
  readonly timings: Timings;
  /** Aborted when another instance takes over. */
  readonly signal: AbortSignal;
  /** Tells open pages; without a message they only read the server again. */
  readonly announce: (serverId: number, message: string, by: ChangedBy, isFailure?: boolean) => void;
  /** The message, or "" where the same outage was announced for another server just now. */
  readonly throttleOutage: (message: string) => string;
  /** Whether somebody has the page open. */
  readonly isWatched: () => boolean;
}

export type SupervisedServer = ReturnType<typeof createSupervisedServer>;

const unreachable: Observation = { kind: "unreachable" };

/** What does not answer, by driver, for the operator. */
const unreachableReasons: Record<string, string> = {
  docker: "ENGINE_URL: the container engine does not answer. `stammtisch doctor` says why.",
  unit: "systemd does not answer.",
  script: "The script did not exit with 0 or 3 within 2 seconds when it was called with `status`.",
};

/** One server that this instance supervises: its settings, its state, and the events that change it. */
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
  /** A change that another instance left behind, or has not finished. */
  let inherited = findLeasedChange(row, clock.now());
  let observedAt = -Infinity;
  let queriedAt = -Infinity;
  let queue = Promise.resolve();

  const server = {
    /** The start or stop that this instance is making; null: none. */
    change: null as Change | null,
    /** Settles as soon as the last change is over in the database, too. */
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
    /** Milliseconds since the driver was asked last, and since the game was. */
    observationAge: () => performance.now() - observedAt,
    queryAge: () => performance.now() - queriedAt,

    /** Asks the driver. Never rejects. */
    refresh: coalesce(async () => {
      const during = changing();
      // Drivers promise to answer in time; a page must not depend on that.
      const inspected = driver.inspect(server.target).catch(() => unreachable);
      const observation = await withTimeout(inspected, timings.inspectMs, unreachable);
      observedAt = performance.now();
      await applyOrLog({ type: "observed", observation, during });
    }),

    /** Asks the game who plays. Never rejects. */
    refreshPlayers: coalesce(async () => {
      queriedAt = performance.now();
      const { query, address } = row;
      const players = isQueryable(row) ? await queryPlayers(query as Protocol, address!) : null;
      await applyOrLog({ type: "players", players });
    }),

    /** Applies an event to what the ones before stored, and stores the result; rejects, unchanged, where the database fails. */
    apply(event: ServerEvent): Promise<void> {
      const applied = queue.then(() => reduceAndStore(event));
      queue = applied.catch(() => {});
      return applied;
    },

    /** Takes over what the administrator changed. */
    updateSettings(changed: GameServerRow): void {
      row = changed;
      state = { ...state, hasAnswered: isQueryable(row) ? (state.hasAnswered ?? false) : null };
      inherited &&= findLeasedChange(row, clock.now());
    },
  };
  return server;

  function changing(): SwitchAction | null {
    return server.change?.action ?? inherited;
  }

  async function applyOrLog(event: ServerEvent): Promise<void> {
    // What is not stored counts as unknown; the next observation tries again.
    await server.apply(event).catch((error: unknown) => {
      log.warn("game-server-state-save-failed", { server: row.id, ...outageFields(error) });
    });
  }

  async function reduceAndStore(event: ServerEvent): Promise<void> {
    if (signal.aborted && event.type !== "requested") return;
    const { state: next, announcement } = reduce(state, event, {
      name: row.display_name,
      idleStopMinutes: row.idle_stop_minutes,
      changing: changing(),
      isOwnChange: server.change !== null,
      now: clock.now(),
    });
    if (!(await updateState(db, row.id, state, next))) return;
    state = next;
    if (!announcement) return;
    const { isOutage, message } = announcement;
    const announced = isOutage ? throttleOutage(message) : message;
    const isGone = state.phase === "unreachable";
    const hasFailed = state.phase === "crashed" || state.phase === "missing" || state.startFailure !== null;
    const isFailure = isOutage ? isGone : hasFailed;
    announce(row.id, announced, null, isFailure);
    if (!isOutage || announced === "") return;
    if (isGone) log.warn("game-servers-unreachable", { server: row.id, reason: unreachableReasons[row.driver] });
    else log.info("game-servers-reachable", { server: row.id });
  }
}
