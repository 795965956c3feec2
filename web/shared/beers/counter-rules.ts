import type { Totals } from "#contract/beercounter.ts";

/** The counters of an answer; the version is `null` for a replay, whose numbers are old. */
export interface CountersReply extends Totals {
  readonly version: number | null;
}

/** The answer to a tap or an undo; `isReplayed` if an earlier request had already made it. */
export interface TapReply extends CountersReply {
  readonly isReplayed: boolean;
}

/** A count with its version; version 0 means that it was stored by an earlier visit. */
interface Count {
  readonly value: number;
  readonly version: number;
}

/** The known state of the counters in this window. */
export interface CounterState {
  readonly group: Count;
  readonly own: Count;
  /** The newest version in which an event may have changed the own count. */
  readonly ownChangedIn: number;
  /** `true` if a tap or undo was answered without new numbers: in another tab, or by a replay. */
  readonly isAnswerMissing: boolean;
  /** Number of own taps without an answer. */
  readonly pending: number;
  /**
   * The shown counts including own taps without an answer; `null` without such taps. An event may already contain such a beer, so
   * the higher of these and the known counts is shown, and no beer counts twice.
   */
  readonly optimistic: Totals | null;
  /** The counts stored by an earlier visit, without its pending taps; `null` without a stored visit. */
  readonly kept: Totals | null;
}

/** Returns the two numbers on the screen. */
export function displayedCounters({ group, own, optimistic }: CounterState): Totals {
  return {
    group: Math.max(group.value, optimistic?.group ?? 0),
    own: Math.max(own.value, optimistic?.own ?? 0),
  };
}

/** Returns the counts to store for the next visit, without pending taps, which that visit adds again. */
export function storableCounters(state: CounterState): Totals {
  return addBeers(displayedCounters(state), -state.pending);
}

/** Returns `true` if the counters may have changed since the last answer and must be fetched. */
export function isOutdated({ own, ownChangedIn, isAnswerMissing }: CounterState): boolean {
  return isAnswerMissing || own.version < ownChangedIn;
}

/** Creates the state for these counts. */
export function createCounterState({ group, own }: Totals, version = 0): CounterState {
  return {
    group: { value: group, version },
    own: { value: own, version },
    ownChangedIn: 0,
    isAnswerMissing: false,
    pending: 0,
    optimistic: null,
    kept: null,
  };
}

/**
 * Applies the answer to an undo, `null` if another tab got it. For each count the newer version wins; a replay has old counts.
 */
export function applyReply(state: CounterState, reply: CountersReply | null): CounterState {
  if (reply === null || reply.version === null) return { ...state, isAnswerMissing: true };
  const { group, own, version } = reply;
  const next = {
    ...state,
    group: newerCount(state.group, group, version),
    own: newerCount(state.own, own, version),
  };
  return next.pending === 0 && !isOutdated(next) ? { ...next, optimistic: null } : next;
}

/** Applies fetched counters; `askedAt` is the newest version known when they were requested. */
export function applyFetched(state: CounterState, reply: CountersReply, askedAt: number): CounterState {
  const version = reply.version ?? askedAt;
  // A lower version means that the server was restored from a backup.
  const { group, own, ownChangedIn } = version < askedAt ? createCounterState(reply) : state;
  return applyReply({ ...state, group, own, ownChangedIn, isAnswerMissing: false }, { ...reply, version });
}

/** Applies an event. It contains the total, and whether the own count changed, but not the own count. */
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

/** Counts a tap optimistically. */
export function addTap(state: CounterState): CounterState {
  return { ...state, pending: state.pending + 1, optimistic: addBeers(displayedCounters(state), 1) };
}

/** Counts a pending tap of an earlier visit. The server may have counted it since, so it is added to the stored counts. */
export function addPersistedTap(state: CounterState): CounterState {
  if (state.kept === null) return addTap(state);
  const pending = state.pending + 1;
  return { ...state, pending, optimistic: displayedCounters({ ...state, optimistic: addBeers(state.kept, pending) }) };
}

/** Applies the answer to a tap, `null` if another tab got it. The optimistic counts stay until newer counts include the tap. */
export function answerTap(state: CounterState, reply: CountersReply | null): CounterState {
  return applyReply({ ...state, pending: Math.max(0, state.pending - 1) }, reply);
}

/** Removes a tap that was refused, not stored, or cancelled before an answer. */
export function removeTap(state: CounterState): CounterState {
  const pending = Math.max(0, state.pending - 1);
  return { ...state, pending, optimistic: pending > 0 && state.optimistic ? addBeers(state.optimistic, -1) : null };
}

/** Subtracts an undone booked beer optimistically. */
export function removeBooked(state: CounterState): CounterState {
  const { group, own, optimistic } = state;
  return {
    ...state,
    group: { ...group, value: group.value - 1 },
    own: { ...own, value: own.value - 1 },
    optimistic: optimistic && addBeers(optimistic, -1),
  };
}

function newerCount(known: Count, value: number, version: number): Count {
  return version >= known.version ? { value, version } : known;
}

function addBeers({ group, own }: Totals, beers: number): Totals {
  return { group: group + beers, own: own + beers };
}
