import type { Counters } from "#contract/beercounter.ts";

/** The counters of an answer; the version is null for a replay, whose numbers are old. */
export interface CountersReply extends Counters {
  readonly version: number | null;
}

/** The counters of an answer to a tap or an undo, and whether an earlier request had made it. */
export interface TapReply extends CountersReply {
  readonly isReplayed: boolean;
}

/** A number and the version of the counters in which the server said it; 0 where it was kept from an earlier visit. */
interface Count {
  readonly value: number;
  readonly version: number;
}

/** What this window knows of the counters. */
export interface CounterState {
  readonly group: Count;
  readonly own: Count;
  /** The newest version in which, by an event, the own count may have changed. */
  readonly ownChangedIn: number;
  /** A tap or undo was answered without new numbers: in another tab, or by a replay. */
  readonly isAnswerMissing: boolean;
  /** How many own taps have no answer yet. */
  readonly pending: number;
  /**
   * What the screen shows for own taps until the server has said what became of them; null when there are none. An event
   * may already contain such a beer, so the higher of this and the known number is shown, and no beer is added twice.
   */
  readonly promised: Counters | null;
  /** What was kept from an earlier visit, without its taps that still wait; null where nothing was. */
  readonly kept: Counters | null;
}

/** The two numbers on the screen. */
export function displayedCounters({ group, own, promised }: CounterState): Counters {
  return {
    KSKCounterVal: Math.max(group.value, promised?.KSKCounterVal ?? 0),
    userCounterVal: Math.max(own.value, promised?.userCounterVal ?? 0),
  };
}

/** What the next visit begins with: the same without the taps that have no answer yet, since it adds those again. */
export function storableCounters(state: CounterState): Counters {
  return addBeers(displayedCounters(state), -state.pending);
}

/** Whether the counters may have changed since the server said them, so that they have to be fetched. */
export function isOutdated({ own, ownChangedIn, isAnswerMissing }: CounterState): boolean {
  return isAnswerMissing || own.version < ownChangedIn;
}

/** The state that begins with these numbers. */
export function createCounterState({ KSKCounterVal, userCounterVal }: Counters, version = 0): CounterState {
  return {
    group: { value: KSKCounterVal, version },
    own: { value: userCounterVal, version },
    ownChangedIn: 0,
    isAnswerMissing: false,
    pending: 0,
    promised: null,
    kept: null,
  };
}

/** The answer to an undo, null where another tab got it: of each number the newer one wins. A replay has old numbers. */
export function applyReply(state: CounterState, reply: CountersReply | null): CounterState {
  if (reply === null || reply.version === null) return { ...state, isAnswerMissing: true };
  const { KSKCounterVal, userCounterVal, version } = reply;
  const next = {
    ...state,
    group: newerCount(state.group, KSKCounterVal, version),
    own: newerCount(state.own, userCounterVal, version),
  };
  return next.pending === 0 && !isOutdated(next) ? { ...next, promised: null } : next;
}

/** The answer to a question that was asked when `askedAt` was the newest version known. */
export function applyFetched(state: CounterState, reply: CountersReply, askedAt: number): CounterState {
  const version = reply.version ?? askedAt;
  // A lower version: the server has been restored from a backup.
  const { group, own, ownChangedIn } = version < askedAt ? createCounterState(reply) : state;
  return applyReply({ ...state, group, own, ownChangedIn, isAnswerMissing: false }, { ...reply, version });
}

/** An event. It contains the group's total, and whether the own count changed, but not the own count. */
export function applyEvent(
  state: CounterState,
  event: { readonly counterVal: number; readonly userId: number | null; readonly version: number },
  memberId: number,
): CounterState {
  const mayBeOwn = event.userId === null || event.userId === memberId;
  return {
    ...state,
    group: newerCount(state.group, event.counterVal, event.version),
    ownChangedIn: mayBeOwn ? Math.max(state.ownChangedIn, event.version) : state.ownChangedIn,
  };
}

/** A tap: one more at once, before the server knows. */
export function addTap(state: CounterState): CounterState {
  return { ...state, pending: state.pending + 1, promised: addBeers(displayedCounters(state), 1) };
}

/** A tap of an earlier visit. The server may have counted it since, so it adds to what was kept of that visit. */
export function addKeptTap(state: CounterState): CounterState {
  if (state.kept === null) return addTap(state);
  const pending = state.pending + 1;
  return { ...state, pending, promised: displayedCounters({ ...state, promised: addBeers(state.kept, pending) }) };
}

/** The answer to a tap, null where another tab got it. The promise stays until the numbers that contain the tap are known. */
export function answerTap(state: CounterState, reply: CountersReply | null): CounterState {
  return applyReply({ ...state, pending: Math.max(0, state.pending - 1) }, reply);
}

/** A tap that was refused, not stored, or cancelled before an answer. */
export function removeTap(state: CounterState): CounterState {
  const pending = Math.max(0, state.pending - 1);
  return { ...state, pending, promised: pending > 0 && state.promised ? addBeers(state.promised, -1) : null };
}

/** An undo of a booked beer: one less at once, before the server knows. */
export function removeBooked(state: CounterState): CounterState {
  const { group, own, promised } = state;
  return {
    ...state,
    group: { ...group, value: group.value - 1 },
    own: { ...own, value: own.value - 1 },
    promised: promised && addBeers(promised, -1),
  };
}

function newerCount(known: Count, value: number, version: number): Count {
  return version >= known.version ? { value, version } : known;
}

function addBeers({ KSKCounterVal, userCounterVal }: Counters, beers: number): Counters {
  return { KSKCounterVal: KSKCounterVal + beers, userCounterVal: userCounterVal + beers };
}
