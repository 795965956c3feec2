import { type Phase, type Players, toServerState } from "#contract/game-servers.ts";
import { minutes } from "#server/time.ts";
import type { Observation } from "../drivers/driver.ts";
import {
  deriveState,
  describeEnd,
  type Idleness,
  messages,
  type SavedState,
  type DerivedState,
  type StartFailure,
  type SwitchAction,
  type SwitchRequest,
} from "../rules.ts";

/** State of a game server as the leader (the supervising instance) knows it. */
export interface GameServerState extends SavedState {
  /** The driver's last report; `null` before the first one. */
  readonly observation: Observation | null;
  /**
   * The start or stop that was in progress when the driver was asked for its report, which
   * therefore may not show the result; `null` if none was in progress.
   */
  readonly observedDuring: SwitchAction | null;
  /**
   * The server's start time in the driver's last report, measured by the engine's clock; `null` if
   * unknown.
   */
  readonly lastStartedAt: number | null;
  /**
   * `true` if the game has answered a query since its last start; `null` if it cannot be queried.
   */
  readonly hasAnswered: boolean | null;
  /** Epoch ms of recent crashes since the app last started or stopped the server. */
  readonly crashes: readonly number[];
}

export type ServerEvent =
  | { readonly type: "observed"; readonly observation: Observation; readonly during: SwitchAction | null }
  /** Result of a query; `players` is `null` if the game did not answer or was not asked. */
  | { readonly type: "players"; readonly players: Players }
  | { readonly type: "requested"; readonly request: SwitchRequest }
  /**
   * Sent when the driver has refused a start. `request` is the request before this start, which
   * counts again.
   */
  | { readonly type: "start-failed"; readonly failure: StartFailure; readonly request: SwitchRequest }
  /** Sent when a member restarts the waiting time of an empty server. */
  | { readonly type: "kept-running" };

export interface ReduceContext {
  readonly name: string;
  /** Minutes after which an empty server stops automatically; `null` to never stop it. */
  readonly idleStopMinutes: number | null;
  /** The start or stop in progress; `null` if none. */
  readonly switching: SwitchAction | null;
  /**
   * `true` if this instance makes the start or stop in progress, and therefore has announced it.
   */
  readonly isOwnSwitch: boolean;
  readonly now: number;
}

const minuteMs = minutes(1);
/** Maximum number of crashes that are announced within `crashSpanMs`. */
const maxCrashes = 2;
const crashSpanMs = 10 * minuteMs;

/**
 * Returns the state after an event, and the announcement to open pages; the announcement is `null`
 * if nothing visible changed. An announcement with an empty message only makes pages refetch.
 * `isOutage` means that the message concerns all servers of the driver.
 */
export function reduce(
  before: GameServerState,
  event: ServerEvent,
  context: ReduceContext,
): { state: GameServerState; announcement: { message: string; isOutage: boolean } | null } {
  const updated = updatePlayers(updateStatus(applyEvent(before, event, context), context), context);
  const state = updateStartFailure(before, updated, context);
  if (!isVisibleChange(before, state)) {
    const isNews =
      JSON.stringify(state.players) !== JSON.stringify(before.players) || state.autoStopAt !== before.autoStopAt;
    return { state, announcement: isNews ? { message: "", isOutage: false } : null };
  }
  const crashes = state.crashes.filter((at) => context.now - at < crashSpanMs);
  // A server that systemd restarts at once is never reported as stopped, but has a new start time.
  const isRestart = before.phase !== "restarting" && isNewRun(before, state);
  if (state.phase === "crashed" || state.phase === "restarting" || isRestart) crashes.push(context.now);
  const isOutage = before.phase === "unreachable" || state.phase === "unreachable";
  const isCrashLoop = crashes.length > maxCrashes && !isOutage;
  const message = isCrashLoop ? "" : statusMessage(context, before, state);
  const isAnnounced = message === "" && context.isOwnSwitch;
  return { state: { ...state, crashes }, announcement: isAnnounced ? null : { message, isOutage } };
}

function applyEvent(state: GameServerState, event: ServerEvent, { now }: ReduceContext): GameServerState {
  const { hasAnswered } = state;
  switch (event.type) {
    case "observed":
      return { ...state, observation: event.observation, observedDuring: event.during };
    case "players":
      return {
        ...state,
        players: event.players,
        hasAnswered: hasAnswered === false ? event.players !== null : hasAnswered,
      };
    case "requested":
      return {
        ...state,
        ...event.request,
        crashes: [],
        startFailure: null,
        hasAnswered: event.request.requested === "start" && hasAnswered ? false : hasAnswered,
      };
    case "start-failed":
      return { ...state, ...event.request, startFailure: event.failure };
    case "kept-running":
      return state.autoStopAt === null ? state : { ...state, emptySince: now };
  }
}

function updateStatus(state: GameServerState, context: ReduceContext): GameServerState {
  const { observation, hasAnswered } = state;
  if (!observation) return state;
  const switching = context.switching ?? state.observedDuring;
  const status = deriveState(state, observation, { ...state, switching, now: context.now });
  const isSameRun = status.runSince === state.runSince;
  const lastStartedAt = observation.kind === "found" ? observation.startedAt : state.lastStartedAt;
  return { ...state, ...status, lastStartedAt, hasAnswered: hasAnswered && !isSameRun ? false : hasAnswered };
}

/**
 * Updates the players, which are known only while the server starts or runs, and the time of the
 * automatic stop. Only a known count of zero players leads to an automatic stop.
 */
function updatePlayers(state: GameServerState, { idleStopMinutes, now }: ReduceContext): GameServerState {
  const { phase, isAlive } = state;
  const players = isAlive && (phase === "running" || phase === "starting") ? state.players : null;
  if (idleStopMinutes === null || phase !== "running" || players?.online !== 0) {
    return { ...state, players, emptySince: null, autoStopAt: null };
  }
  // Limits the time to now, because a time stored while the clock was ahead would postpone the
  // stop.
  const emptySince = Math.min(state.emptySince ?? now, now);
  return { ...state, players, emptySince, autoStopAt: emptySince + idleStopMinutes * minuteMs };
}

/**
 * Clears the start failure of a server that has a process, and records a failure if a started
 * server ended before it counted as running.
 */
function updateStartFailure(before: GameServerState, state: GameServerState, { now }: ReduceContext): GameServerState {
  if (state.isAlive) return { ...state, startFailure: null };
  const { observation, requested, startFailure } = state;
  if (startFailure !== null || requested !== "start" || !hasStartEnded(before, state)) return state;
  if (observation?.kind !== "found") return state;
  return { ...state, startFailure: { ...describeEnd(observation), at: now } };
}

function hasStartEnded(before: { phase: Phase }, after: { phase: Phase }): boolean {
  return before.phase === "starting" && isDown(after);
}

function isDown({ phase }: { phase: Phase }): boolean {
  return phase === "stopped" || phase === "crashed";
}

/** Returns `true` if the automatic stop is due. */
export function isIdleStopDue({ autoStopAt }: Idleness, now: number): boolean {
  return autoStopAt !== null && now >= autoStopAt;
}

/** Returns `true` if members would see a difference between the two states. */
function isVisibleChange(before: DerivedState, after: DerivedState): boolean {
  const one = toServerState(before);
  const other = toServerState(after);
  const isOther = one?.Status !== other?.Status || one?.Running !== other?.Running;
  return before.phase !== after.phase || isOther || isNewRun(before, after);
}

/**
 * Returns `true` if the server was restarted and no report came between its end and its new start.
 */
function isNewRun(before: DerivedState, after: DerivedState): boolean {
  return before.isAlive && after.isAlive && before.runSince !== after.runSince;
}

/**
 * Returns the message about a changed state, without the name of a member; "" if pages only need to
 * refetch.
 */
function statusMessage(
  { name, switching, isOwnSwitch }: ReduceContext,
  before: GameServerState,
  after: GameServerState,
): string {
  if (after.phase === "unreachable") return messages.unreachable;
  if (before.phase === "unreachable") return messages.reachableAgain;
  if (before.phase === "unknown") return "";
  if (after.startFailure && isDown(after)) {
    // A failure that was known before has been announced already: when the driver refused the start,
    // or when the program ended and its exit code was still unknown.
    return before.startFailure ? "" : messages.startFailed(name, after.startFailure.reason);
  }
  switch (after.phase) {
    case "running":
      return before.phase === "running" ? messages.restarted(name) : messages.running(name);
    case "stopped":
      return before.phase === "crashed" ? "" : messages.off(name);
    case "crashed":
      return messages.crashed(name);
    case "paused":
      return messages.paused(name);
    case "missing":
      return isOwnSwitch && switching === "start" ? "" : messages.missing(name);
    default:
      return "";
  }
}
