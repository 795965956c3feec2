import { type Db, inTransaction } from "#server/db/connect.ts";
import type { Context } from "#server/platform/context.ts";
import { coalesce } from "#server/platform/jobs/coalesce.ts";
import { outageFields } from "#server/platform/log.ts";
import { type Driver, EngineRefusedError, type Observation, type Target } from "../drivers/driver.ts";
import { type Protocol, queryPlayers } from "../protocols/query-players.ts";
import { isQueryable, type SwitchAction } from "../rules.ts";
import type { GameServerRow } from "../store.ts";
import * as gameServerStore from "../store.ts";
import {
  type Announcement,
  type Effect,
  type Failure,
  type GameServerState,
  isIdleStopDue,
  reduce,
  type RequestedBy,
  type ServerEvent,
  type SwitchOutcome,
  takeOver,
} from "./reducer.ts";
import { type Timings, withTimeout } from "./timings.ts";

export interface SupervisionContext extends Pick<Context, "db" | "clock" | "log"> {
  readonly timings: Timings;
  /** Aborted when this instance no longer leads: from then on it neither stores nor switches anything. */
  readonly signal: AbortSignal;
  /**
   * Called in the transaction that stores the change. Returns `false` for an outage that was just announced for another
   * server.
   */
  readonly announce: (tx: Db, serverId: number, announcement: Announcement) => Promise<boolean>;
  readonly isWatched: () => boolean;
}

export type SupervisedServer = ReturnType<typeof superviseServer>;

const unreachable: Observation = { kind: "unreachable" };
const noAnswer: Failure = { reason: "unreachable", detail: null };

/** By driver kind, for the operator's log. */
const unreachableReasons: Record<string, string> = {
  docker: "ENGINE_URL: the container engine does not answer. `stammtisch doctor` says why.",
  unit: "systemd does not answer.",
  command: "No instance runs on the machine of this program.",
  script: "The script did not exit with 0 or 3 within 2 seconds when it was called with `status`.",
};

/** Feeds the reducer of one game server, stores its states, and carries out its effects. */
export function superviseServer(firstRow: GameServerRow, driver: Driver, context: SupervisionContext) {
  const { db, clock, log, timings, signal } = context;
  let row = firstRow;
  let state = takeOver(gameServerStore.savedState(row), clock.now());
  let observedAt = -Infinity;
  let queriedAt = -Infinity;
  let queue: Promise<unknown> = Promise.resolve();

  const target = (): Target => ({ id: row.id, ref: row.ref, graceSeconds: row.grace_seconds });

  /**
   * Resolves to `null` if a start or stop began or ended during the call, so that the report may not show its result.
   * Has its own timeout, because pages must not depend on the driver's.
   */
  const ask = coalesce(async (): Promise<Observation | null> => {
    const { switching } = state;
    const asked = driver.inspect(target()).catch(() => unreachable);
    const observation = await withTimeout(asked, timings.inspectMs, unreachable);
    if (state.switching !== switching) return null;
    observedAt = performance.now();
    return observation;
  });

  async function inspect(): Promise<void> {
    const observation = await ask();
    if (observation) await sendOrLog({ type: "observed", observation });
  }

  const refreshPlayers = coalesce(async () => {
    queriedAt = performance.now();
    const players = isQueryable(row) ? await queryPlayers(row.query as Protocol, row.address!) : null;
    await sendOrLog({ type: "players", players });
  });

  /**
   * Reduces events one after the other. Resolves to the answer; `null` without one, or if the server was deleted or
   * another instance leads or switches it. Rejects and keeps the old state if the database fails.
   */
  async function send(event: ServerEvent, answerMs = timings.startMs): Promise<SwitchOutcome | null> {
    const stored = queue.then(() => reduceAndStore(event));
    queue = stored.catch(() => {});
    let answer: SwitchOutcome | null = null;
    for (const effect of await stored) {
      if (effect.type === "answer") answer = effect.outcome;
      else if (effect.type === "start") answer = await start(answerMs);
      else if (effect.type === "stop") void stop();
      else if (effect.type === "inspect") void inspect();
    }
    return answer;
  }

  /** The driver reports a state that could not be stored again. */
  async function sendOrLog(event: ServerEvent): Promise<void> {
    await send(event).catch((error: unknown) => {
      log.warn("game-server-state-save-failed", { server: row.id, ...outageFields(error) });
    });
  }

  async function reduceAndStore(event: ServerEvent): Promise<readonly Effect[]> {
    if (signal.aborted) return [];
    const now = clock.now();
    const { state: next, effects } = reduce(state, event, {
      name: row.display_name,
      graceSeconds: row.grace_seconds,
      idleStopMinutes: row.idle_stop_minutes,
      isQueryable: isQueryable(row),
      now,
    });
    let isOutageTold = false;
    const isStored = await inTransaction(db, async (tx) => {
      if (!(await gameServerStore.updateState(tx, row.id, { before: state, after: next, now }))) return false;
      for (const effect of effects) {
        if (effect.type === "announce" && (await context.announce(tx, row.id, effect)))
          isOutageTold ||= effect.isOutage;
      }
      return true;
    });
    if (!isStored) return [];
    state = next;
    if (isOutageTold) logOutage(state);
    return effects;
  }

  function logOutage({ phase }: GameServerState): void {
    if (phase === "unreachable")
      log.warn("game-servers-unreachable", { server: row.id, reason: unreachableReasons[row.driver] });
    else log.info("game-servers-reachable", { server: row.id });
  }

  /** Resolves once the driver has accepted or refused the start, or after `answerMs`. */
  async function start(answerMs: number): Promise<SwitchOutcome> {
    const started = driver.start(target(), state.observation).then(
      () => null,
      (error: unknown) => {
        logFailure(error);
        return error instanceof EngineRefusedError ? { reason: error.reason, detail: error.detail } : noAnswer;
      },
    );
    try {
      const failure = await withTimeout(started, answerMs, noAnswer);
      return failure === null ? "starting" : ((await send({ type: "start-failed", failure })) ?? "unreachable");
    } finally {
      void started.then(() => sendOrLog({ type: "call-ended", action: "start" }));
    }
  }

  async function stop(): Promise<void> {
    if (!state.observation) await inspect();
    try {
      await driver.stop(target(), state.observation);
    } catch (error) {
      logFailure(error);
      await inspect();
      await sendOrLog({ type: "stop-failed" });
    }
    await sendOrLog({ type: "call-ended", action: "stop" });
  }

  /** Logs only the kind, because the engine's own text names containers and paths. */
  function logFailure(error: unknown): void {
    const kind = error instanceof Error ? error.constructor.name : "unknown";
    log.warn("game-server-change-failed", { server: row.id, error: kind });
  }

  async function request(action: SwitchAction, by: RequestedBy): Promise<SwitchOutcome> {
    const began = performance.now();
    const observation = await ask();
    const answerMs = timings.startMs - (performance.now() - began);
    return (await send({ type: "requested", action, by, observation }, answerMs)) ?? "busy";
  }

  return {
    driver,
    target,
    get row(): GameServerRow {
      return row;
    },
    get state(): GameServerState {
      return state;
    },
    observationAge: () => performance.now() - observedAt,
    queryAge: () => performance.now() - queriedAt,
    updateSettings(changed: GameServerRow): void {
      row = changed;
    },
    inspect,
    refreshPlayers,
    /** The number of players becomes stale while the server is not queried. */
    forgetPlayers: async (): Promise<void> => {
      if (state.players) await send({ type: "players", players: null });
    },
    /** Resolves when the start was accepted or the stop has begun. */
    request,
    keepRunning: async (): Promise<SwitchOutcome> => (await send({ type: "kept-running" })) ?? "busy",
    /** Queries once more, because a player may have joined. */
    async stopIfIdle(): Promise<void> {
      if (!isIdleStopDue(state, clock.now())) return;
      await refreshPlayers();
      if (isIdleStopDue(state, clock.now())) await request("stop", null);
    },
  };
}
