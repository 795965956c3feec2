import type { Db } from "#server/db/connect.ts";
import type { Clock } from "#server/platform/clock.ts";
import { errorFields, type Log } from "#server/platform/log.ts";
import type { Driver, Observation, Target } from "../drivers/driver.ts";
import { queryPlayers, type QueryKind } from "../protocols/query-players.ts";
import type { SwitchAction } from "../rules.ts";
import { type GameServerState, reduce, type ServerEvent } from "./server-state.ts";
import { type GameServerRow, savedState, updateState } from "../store.ts";
import { coalesce } from "./coalesce.ts";
import { type Timings, within } from "./timings.ts";

/** The member who changes something; null: the app itself. */
export type ChangedBy = { readonly id: number; readonly avatarId: string | null } | null;

/** What all supervised servers share. */
export interface SupervisionContext {
  readonly db: Db;
  readonly clock: Clock;
  readonly log: Log;
  readonly timings: Timings;
  /** Aborted when another instance takes over. */
  readonly signal: AbortSignal;
  /** Tells open pages; without a message they only read the server again. */
  announce(serverId: number, message: string, by: ChangedBy): void;
  /** The message, or "" where the same outage was announced for another server just now. */
  throttleOutage(message: string): string;
  /** Whether somebody has the page open. */
  isWatched(): boolean;
}

/** A start or stop that this instance is making. */
export interface Change {
  action: SwitchAction;
  /** Stop it as soon as it has started. */
  isStopRequested: boolean;
}

/** One server that this instance looks after. */
export interface SupervisedServer {
  readonly row: GameServerRow;
  readonly driver: Driver;
  readonly target: Target;
  readonly state: GameServerState;
  /** Null: none under way here. */
  change: Change | null;
  /** Milliseconds since the driver was asked last, and since the game was. */
  observationAge(): number;
  queryAge(): number;
  /** Asks the driver. Calls while one is running share the next run. Never rejects. */
  refresh(): Promise<void>;
  /** Asks the game who plays. Never rejects. */
  refreshPlayers(): Promise<void>;
  /** Applies an event and stores the result; rejects, with nothing changed, where the database fails. */
  apply(event: ServerEvent): Promise<void>;
  /** Takes over what the administrator changed. */
  updateSettings(row: GameServerRow): void;
}

const unreachable: Observation = { kind: "unreachable" };

export function createSupervisedServer(
  firstRow: GameServerRow,
  driver: Driver,
  context: SupervisionContext,
): SupervisedServer {
  const { db, clock, log, timings, signal } = context;
  let row = firstRow;
  let state: GameServerState = {
    ...savedState(row),
    observation: null,
    hasAnswered: isQueryable(row) ? false : null,
    crashes: [],
  };
  let observedAt = -Infinity;
  let queriedAt = -Infinity;
  let queue = Promise.resolve();
  /** A change that another instance left behind, or has not finished. */
  let inherited = leasedAction(row);

  const server: SupervisedServer = {
    get row() {
      return row;
    },
    driver,
    get target() {
      return { id: row.id, ref: row.ref, graceSeconds: row.grace_seconds };
    },
    get state() {
      return state;
    },
    change: null,
    observationAge: () => performance.now() - observedAt,
    queryAge: () => performance.now() - queriedAt,
    refresh: coalesce(observe),
    refreshPlayers: coalesce(countPlayers),
    apply,
    updateSettings(changed) {
      row = changed;
      state = { ...state, hasAnswered: isQueryable(row) ? (state.hasAnswered ?? false) : null };
      inherited &&= leasedAction(row);
    },
  };
  return server;

  function leasedAction({ changing, changing_until }: GameServerRow): SwitchAction | null {
    return changing_until > clock.now() ? (changing as SwitchAction | null) : null;
  }

  async function observe(): Promise<void> {
    // Drivers promise to answer in time; a page must not depend on that.
    const inspected = driver.inspect(server.target).catch(() => unreachable);
    const observation = await within(timings.inspectMs, inspected, unreachable);
    observedAt = performance.now();
    await applyOrLog({ type: "observed", observation });
  }

  async function countPlayers(): Promise<void> {
    queriedAt = performance.now();
    const { query, address } = row;
    const players = isQueryable(row) ? await queryPlayers(query as Exclude<QueryKind, "none">, address!) : null;
    await applyOrLog({ type: "players", players });
  }

  /** One after the other, so that each starts from what the one before stored. */
  function apply(event: ServerEvent): Promise<void> {
    const applied = queue.then(() => store(event));
    queue = applied.catch(() => {});
    return applied;
  }

  async function applyOrLog(event: ServerEvent): Promise<void> {
    // What is not stored counts as unknown; the next observation tries again.
    await apply(event).catch((error: unknown) => {
      log.warn("game-server-state-not-saved", { server: row.id, ...errorFields(error) });
    });
  }

  async function store(event: ServerEvent): Promise<void> {
    if (signal.aborted && event.type !== "requested") return;
    const { state: next, announcement } = reduce(state, event, {
      name: row.display_name,
      idleStopMinutes: row.idle_stop_minutes,
      changing: server.change?.action ?? inherited,
      isOwnChange: server.change !== null,
      now: clock.now(),
    });
    if (!(await updateState(db, row.id, state, next))) return;
    state = next;
    if (!announcement) return;
    const { message, isOutage } = announcement;
    context.announce(row.id, isOutage ? context.throttleOutage(message) : message, null);
  }
}

/** Whether the game itself can be asked. */
export function isQueryable({ query, address }: GameServerRow): boolean {
  return query !== "none" && address !== null;
}
