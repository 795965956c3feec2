import type { Players } from "#contract/game-servers.ts";
import { minutes } from "#server/time.ts";
import type { Observation } from "../drivers/driver.ts";
import {
  deriveStatus,
  describeEnd,
  type Idleness,
  messages,
  type Phase,
  type SavedState,
  type ServerStatus,
  type StartFailure,
  type SwitchAction,
  type SwitchRequest,
  toServerState,
} from "../rules.ts";

/** Everything that the leading instance knows of one server. */
export interface GameServerState extends SavedState {
  /** What the driver reported last; null: nothing yet. */
  readonly observation: Observation | null;
  /** The change that was under way when it was asked: the report says nothing about the time after that change. */
  readonly observedDuring: SwitchAction | null;
  /** When the run began that was reported last, by the clock of its engine; null: unknown. */
  readonly lastStartedAt: number | null;
  /** Whether the game answered a query in this run; null: it cannot be queried. */
  readonly hasAnswered: boolean | null;
  /** When it crashed within the last minutes since it was last started or stopped by the app, epoch ms. */
  readonly crashes: readonly number[];
}

export type ServerEvent =
  | { readonly type: "observed"; readonly observation: Observation; readonly during: SwitchAction | null }
  /** Null: the game did not answer, or nobody wants to know. */
  | { readonly type: "players"; readonly players: Players }
  | { readonly type: "requested"; readonly request: SwitchRequest }
  /** The driver did not accept the start; the request before it counts again. */
  | { readonly type: "start-failed"; readonly failure: StartFailure; readonly request: SwitchRequest }
  /** A member wants an empty server to go on running. */
  | { readonly type: "kept-running" };

export interface ReduceContext {
  readonly name: string;
  /** Null: never stops by itself. */
  readonly idleStopMinutes: number | null;
  /** The change that is under way. */
  readonly changing: SwitchAction | null;
  /** Whether this instance makes that change, and has announced it. */
  readonly isOwnChange: boolean;
  readonly now: number;
}

const minuteMs = minutes(1);
/** More crashes than this within the time are no longer announced. */
const maxCrashes = 2;
const crashSpanMs = 10 * minuteMs;

/**
 * The state after an event, and what open pages are told; null: nothing that members would see. Without a message they only read the
 * server again; an outage is about the driver, and thus about every server that it runs.
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
  // Where systemd restarts it at once, nothing between the two runs is seen.
  const isRestart = before.phase !== "restarting" && isNewRun(before, state);
  if (state.phase === "crashed" || state.phase === "restarting" || isRestart) crashes.push(context.now);
  const isOutage = before.phase === "unreachable" || state.phase === "unreachable";
  const isCrashLoop = crashes.length > maxCrashes && !isOutage;
  const message = isCrashLoop ? "" : statusMessage(context, before, state);
  const isAnnounced = message === "" && context.isOwnChange;
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
  const changing = context.changing ?? state.observedDuring;
  const status = deriveStatus(state, observation, { ...state, changing, now: context.now });
  const isSameRun = status.runSince === state.runSince;
  const lastStartedAt = observation.kind === "found" ? observation.startedAt : state.lastStartedAt;
  return { ...state, ...status, lastStartedAt, hasAnswered: hasAnswered && !isSameRun ? false : hasAnswered };
}

/** Who plays is known only while the server runs, and only a known nobody ever stops it. */
function updatePlayers(state: GameServerState, { idleStopMinutes, now }: ReduceContext): GameServerState {
  const { phase, isAlive } = state;
  const players = isAlive && (phase === "running" || phase === "starting") ? state.players : null;
  if (idleStopMinutes === null || phase !== "running" || players?.online !== 0) {
    return { ...state, players, emptySince: null, autoStopAt: null };
  }
  // One that was stored while the clock was ahead would postpone the stop.
  const emptySince = Math.min(state.emptySince ?? now, now);
  return { ...state, players, emptySince, autoStopAt: emptySince + idleStopMinutes * minuteMs };
}

/** A server that runs has not failed to start; one that was started and ended before it ran has. */
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

/** Whether a server has been empty for as long as it may be. */
export function isIdleStopDue({ autoStopAt }: Idleness, now: number): boolean {
  return autoStopAt !== null && now >= autoStopAt;
}

/** Whether members would see a difference. */
function isVisibleChange(before: ServerStatus, after: ServerStatus): boolean {
  const one = toServerState(before);
  const other = toServerState(after);
  const isOther = one?.Status !== other?.Status || one?.Running !== other?.Running;
  return before.phase !== after.phase || isOther || isNewRun(before, after);
}

/** Whether it was started again without having been seen down. */
function isNewRun(before: ServerStatus, after: ServerStatus): boolean {
  return before.isAlive && after.isAlive && before.runSince !== after.runSince;
}

/** What is announced when something changed that no member did; "" where there is only something new to see. */
function statusMessage(
  { name, changing, isOwnChange }: ReduceContext,
  before: GameServerState,
  after: GameServerState,
): string {
  if (after.phase === "unreachable") return messages.unreachable;
  if (before.phase === "unreachable") return messages.reachableAgain;
  if (before.phase === "unknown") return "";
  if (after.startFailure && isDown(after)) {
    // Already announced: by the refused start itself, or before the exit code was known.
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
      return isOwnChange && changing === "start" ? "" : messages.missing(name);
    default:
      return "";
  }
}
