import { type Players, toServerState } from "#contract/game-servers.ts";
import { minutes, seconds } from "#server/time.ts";
import { type FoundObservation, type Observation, stopTimeoutMs } from "../drivers/driver.ts";
import {
  messages,
  type SavedState,
  type SavedSwitch,
  type StartFailure,
  type Status,
  type SwitchAction,
  type SwitchRequest,
} from "../rules.ts";
import { deriveStatus } from "./phase.ts";

/** `null` for the app. Tasks of the previous app version contain no name. */
export type RequestedBy = { readonly id: number; readonly name?: string; readonly avatarId: string | null } | null;

/** `machine-gone`: no instance runs on the machine of the program. */
export type SwitchOutcome =
  | "starting"
  | "running"
  | "stopping"
  | "off"
  | "busy"
  | "missing"
  | "start-failed"
  | "unreachable"
  | "machine-gone";

interface Switch extends SavedSwitch {
  /** Stops the server as soon as its start has ended. */
  readonly stopsNext: boolean;
  /** Counts again if this start, or the stop of a starting server, fails. */
  readonly previous: SwitchRequest | null;
}

/** State as the leader (the supervising instance) knows it. */
export interface GameServerState extends SavedState {
  readonly switching: Switch | null;
  /** `null` if the driver has not reported since the last start or stop ended. */
  readonly observation: Observation | null;
  /** `true` if the game has answered a query since its last start. */
  readonly hasAnswered: boolean;
  /** Epoch ms of recent crashes since the last start or stop by a member or the app. */
  readonly crashes: readonly number[];
}

export type Failure = Pick<StartFailure, "reason" | "detail">;

export type ServerEvent =
  | { readonly type: "observed"; readonly observation: Observation }
  /** `null` if the game did not answer or was not asked. */
  | { readonly type: "players"; readonly players: Players }
  /** `observation` is `null` if a start or stop began or ended while the driver was asked. */
  | {
      readonly type: "requested";
      readonly action: SwitchAction;
      readonly by: RequestedBy;
      readonly observation: Observation | null;
    }
  /** The driver refused or did not answer in time. */
  | { readonly type: "start-failed"; readonly failure: Failure }
  | { readonly type: "stop-failed" }
  /** The driver's call has returned, successful or not. */
  | { readonly type: "call-ended"; readonly action: SwitchAction }
  /** Restarts the waiting time of an empty server. */
  | { readonly type: "kept-running" };

/** An empty message only makes open pages refetch. */
export interface Announcement {
  readonly type: "announce";
  readonly message: string;
  readonly by: RequestedBy;
  readonly isFailure: boolean;
  /** Epoch ms of the failed start that the message is about. */
  readonly failedStartAt: number | null;
  /** Concerns all servers of the driver. */
  readonly isOutage: boolean;
}

export type Effect =
  | Announcement
  /** Tells the member or instance that sent the event. */
  | { readonly type: "answer"; readonly outcome: SwitchOutcome }
  | { readonly type: "start" | "stop" | "inspect" };

interface Change {
  readonly state: GameServerState;
  readonly effects: readonly Effect[];
}

export interface ReduceContext {
  readonly name: string;
  readonly graceSeconds: number | null;
  /** `null`: an empty server is never stopped. */
  readonly idleStopMinutes: number | null;
  readonly isQueryable: boolean;
  readonly now: number;
}

/** Longest start of a driver, and longest start or stop that another instance has left unfinished. */
const maxSwitchMs = seconds(20);
const maxToldCrashes = 2;
const crashSpanMs = minutes(10);

/**
 * A start or stop that a killed instance left unfinished counts as in progress for a while, because the engine may
 * still be working on it.
 */
export function takeOver(saved: SavedState, now: number): GameServerState {
  const { switching } = saved;
  return {
    ...saved,
    switching: switching && {
      action: switching.action,
      until: Math.min(switching.until, now + maxSwitchMs),
      stopsNext: switching.action === "start" && saved.requested === "stop",
      previous: null,
    },
    observation: null,
    hasAnswered: false,
    crashes: [],
  };
}

/** The caller carries out the effects once the state is stored. */
export function reduce(before: GameServerState, event: ServerEvent, context: ReduceContext): Change {
  const isOverdue = before.switching !== null && context.now >= before.switching.until;
  const overdue = isOverdue ? endCall(before, context) : unchanged(before);
  const { state: applied, effects } = applyEvent(overdue.state, event, context);
  const state = updateStartFailure(before, updatePlayers(updateStatus(applied, context), context), context);
  const { crashes, news } = describeChange(before, state, context);
  // The announcement of a request also shows its new state. Only an outage concerns other servers, too.
  const isTold = news === null || (!news.isOutage && effects.some(({ type }) => type === "announce"));
  return { state: { ...state, crashes }, effects: [...(isTold ? [] : [news]), ...effects, ...overdue.effects] };
}

function unchanged(state: GameServerState, outcome?: SwitchOutcome): Change {
  return { state, effects: outcome === undefined ? [] : [{ type: "answer", outcome }] };
}

export function announce(message: string, options: Partial<Omit<Announcement, "type" | "message">> = {}): Announcement {
  return { type: "announce", message, by: null, isFailure: false, failedStartAt: null, isOutage: false, ...options };
}

function applyEvent(state: GameServerState, event: ServerEvent, context: ReduceContext): Change {
  switch (event.type) {
    case "observed":
      return unchanged({ ...state, observation: event.observation });
    case "players":
      return unchanged({
        ...state,
        players: event.players,
        hasAnswered: state.hasAnswered || event.players !== null,
      });
    case "requested":
      return request(state, event, context);
    case "start-failed":
      return failStart(state, event.failure, context);
    case "stop-failed":
      return failStop(state, context);
    case "call-ended":
      return state.switching?.action === event.action ? endCall(state, context) : unchanged(state);
    case "kept-running":
      if (state.switching || state.phase !== "running") return unchanged(state, "busy");
      return unchanged(state.autoStopAt === null ? state : { ...state, emptySince: context.now }, "running");
  }
}

/** Refuses a request while another is in progress, except one stop during a start. */
function request(
  state: GameServerState,
  { action, by, observation }: Extract<ServerEvent, { type: "requested" }>,
  context: ReduceContext,
): Change {
  const { name, now } = context;
  const { switching, requested, requestedBy, requestedAt } = state;
  const asked = { requested: action, requestedBy: by?.id ?? null, requestedAt: now, crashes: [], startFailure: null };
  const stopping = announce(by ? messages.stopping(name) : messages.stoppingEmpty(name), { by });
  const answer = { type: "answer", outcome: "stopping" } as const;
  if (switching) {
    if (switching.action === "stop" || action === "start" || switching.stopsNext) return unchanged(state, "busy");
    return { state: { ...state, ...asked, switching: { ...switching, stopsNext: true } }, effects: [stopping, answer] };
  }
  if (!observation) return unchanged(state, "busy");
  const seen = { ...state, observation };
  const needless = findNoOpOutcome(action, seen);
  if (needless === "missing" && action === "start") {
    const failed = announce(messages.startFailed(name, needless), { by: withoutName(by?.id ?? null), isFailure: true });
    return { state: seen, effects: [failed, { type: "answer", outcome: needless }] };
  }
  if (needless) return unchanged(seen, needless);
  const isStart = action === "start";
  const previous = isStart || state.phase === "starting" ? { requested, requestedBy, requestedAt } : null;
  const begun = { ...seen, ...asked, switching: createSwitch(action, previous, context) };
  if (isStart) {
    const effects = [announce(messages.starting(name), { by }), { type: "start" }] as const;
    return { state: { ...begun, hasAnswered: false }, effects };
  }
  return { state: begun, effects: [stopping, answer, { type: "stop" }] };
}

function createSwitch(
  action: SwitchAction,
  previous: SwitchRequest | null,
  { graceSeconds, now }: ReduceContext,
): Switch {
  const longest = action === "start" ? maxSwitchMs : stopTimeoutMs(graceSeconds, 20);
  return { action, until: now + longest, stopsNext: false, previous };
}

/** Ends the start or stop in progress; a stop requested during a start follows. */
function endCall(state: GameServerState, context: ReduceContext): Change {
  const ended = { ...state, observation: null };
  return state.switching?.stopsNext
    ? { state: { ...ended, switching: createSwitch("stop", null, context) }, effects: [{ type: "stop" }] }
    : { state: { ...ended, switching: null }, effects: [{ type: "inspect" }] };
}

/** Returns the outcome of a needless or impossible change; `null` to proceed. */
function findNoOpOutcome(action: SwitchAction, { observation, phase }: GameServerState): SwitchOutcome | null {
  if (observation?.kind !== "found") return observation?.kind ?? "unreachable";
  if (observation.status === "stopping") return "busy";
  const isUp = observation.isAlive || observation.status === "restarting";
  // A server that does not run yet may be on a machine that is still booting.
  if (action === "stop") return isUp || phase === "starting" ? null : "off";
  return isUp ? "running" : null;
}

function failStart(state: GameServerState, failure: Failure, { name, now }: ReduceContext): Change {
  const { switching, requestedBy } = state;
  const outcome = failure.reason === "unreachable" ? "unreachable" : "start-failed";
  // A stop requested during the start takes precedence.
  if (switching?.action !== "start" || switching.stopsNext) return unchanged(state, outcome);
  const failed = announce(messages.startFailed(name, failure.reason), {
    by: withoutName(requestedBy),
    isFailure: true,
    failedStartAt: now,
  });
  const startFailure = { ...failure, at: now };
  return { state: { ...state, ...switching.previous, startFailure }, effects: [failed, { type: "answer", outcome }] };
}

/** The failure is not the member's, so it is announced without the name. */
function withoutName(id: number | null): RequestedBy {
  return id === null ? null : { id, avatarId: null };
}

function failStop(state: GameServerState, { name }: ReduceContext): Change {
  const { switching, observation } = state;
  if (switching?.action !== "stop") return unchanged(state);
  const failed = announce(messages.stopFailed(name), { isFailure: true });
  if (switching.previous) return { state: { ...state, ...switching.previous }, effects: [failed] };
  // If the server has ended, only the driver's answer was lost.
  const hasEnded = observation?.kind === "found" && !observation.isAlive;
  return { state, effects: hasEnded ? [] : [failed] };
}

function updateStatus(state: GameServerState, { isQueryable, now }: ReduceContext): GameServerState {
  const { observation, switching } = state;
  if (!observation) return state;
  const hasAnswered = isQueryable ? state.hasAnswered : null;
  const input = { ...state, switching: switching?.action ?? null, hasAnswered, now };
  const status = deriveStatus(state, observation, input);
  return { ...state, ...status, hasAnswered: state.hasAnswered && status.runSince === state.runSince };
}

/** Players are known only while the server starts or runs. Only a known count of zero leads to an automatic stop. */
function updatePlayers(state: GameServerState, { idleStopMinutes, now }: ReduceContext): GameServerState {
  const { phase, isAlive } = state;
  const players = isAlive && (phase === "running" || phase === "starting") ? state.players : null;
  if (idleStopMinutes === null || phase !== "running" || players?.online !== 0) {
    return { ...state, players, emptySince: null, autoStopAt: null };
  }
  const emptySince = Math.min(state.emptySince ?? now, now);
  return { ...state, players, emptySince, autoStopAt: emptySince + minutes(idleStopMinutes) };
}

/** Records a failure if a requested start ended before the server counted as running. */
function updateStartFailure(before: Status, state: GameServerState, { now }: ReduceContext): GameServerState {
  if (state.isAlive) return { ...state, startFailure: null };
  const { observation, requested, startFailure } = state;
  const hasEnded = before.phase === "starting" && isDown(state);
  if (startFailure || requested !== "start" || !hasEnded || observation?.kind !== "found") return state;
  return { ...state, startFailure: { ...describeEnd(observation), at: now } };
}

function isDown({ phase }: Status): boolean {
  return phase === "stopped" || phase === "crashed";
}

function describeEnd({ exitCode, startedAt, lastLine }: FoundObservation): Failure {
  if (exitCode !== null) return { reason: "ended", detail: lastLine ?? `Exit-Code ${exitCode}` };
  // After a run whose exit code is not known yet, the driver reports only its start time.
  return { reason: startedAt === null ? "silent" : "ended", detail: lastLine };
}

export function isIdleStopDue({ autoStopAt, switching }: GameServerState, now: number): boolean {
  return autoStopAt !== null && now >= autoStopAt && switching === null;
}

/** Announces only the first of many crashes. */
function describeChange(
  before: GameServerState,
  after: GameServerState,
  { name, now }: ReduceContext,
): { crashes: readonly number[]; news: Announcement | null } {
  const [one, other] = [toServerState(before), toServerState(after)];
  // A server that is restarted between two reports has a new start time.
  const isNewRun = before.isAlive && after.isAlive && before.runSince !== after.runSince;
  const isOther = before.phase !== after.phase || one?.Status !== other?.Status || one?.Running !== other?.Running;
  if (!isOther && !isNewRun) {
    const isNews =
      JSON.stringify(after.players) !== JSON.stringify(before.players) || after.autoStopAt !== before.autoStopAt;
    return { crashes: after.crashes, news: isNews ? announce("") : null };
  }
  const isCrash =
    after.phase === "crashed" || after.phase === "restarting" || (isNewRun && before.phase !== "restarting");
  const recent = after.crashes.filter((at) => now - at < crashSpanMs);
  const crashes = isCrash ? [...recent, now] : recent;
  if (before.phase === "unreachable" || after.phase === "unreachable") {
    const isFailure = after.phase === "unreachable";
    return { crashes, news: announce(outageMessage(after), { isFailure, isOutage: true }) };
  }
  const { phase, startFailure } = after;
  const message = crashes.length > maxToldCrashes ? "" : statusMessage(name, before, after);
  const isFailure = phase === "crashed" || phase === "missing" || startFailure !== null;
  const failedStartAt = before.startFailure ? null : (startFailure?.at ?? null);
  return { crashes, news: announce(message, { isFailure, failedStartAt }) };
}

function outageMessage({ phase, observation }: GameServerState): string {
  if (phase !== "unreachable") return messages.reachableAgain;
  const isMachineGone = observation?.kind === "unreachable" && observation.isMachineGone === true;
  return isMachineGone ? messages.machineGone : messages.unreachable;
}

/** Returns "" if pages only need to refetch. */
function statusMessage(name: string, before: GameServerState, after: GameServerState): string {
  if (before.phase === "unknown") return "";
  if (after.startFailure && isDown(after)) {
    // A known failure has been announced: when the driver refused, or when the program ended without a known exit code.
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
      return after.switching?.action === "start" ? "" : messages.missing(name);
    default:
      return "";
  }
}
