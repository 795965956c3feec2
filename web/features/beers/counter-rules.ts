import type { CounterEvent, Totals } from "#contract/beercounter.ts";

export interface CountersReply extends Totals {
  /** Rises with every change. `null` in a replayed answer, whose counters are stale. */
  readonly version: number | null;
}

export interface TapReply extends CountersReply {
  /** An earlier request had already made this change. */
  readonly isReplayed: boolean;
}

interface Count {
  readonly value: number;
  /** 0 if an earlier visit stored the count. */
  readonly version: number;
}

/** The counters as far as this tab knows them. */
export interface CounterState {
  readonly group: Count;
  readonly own: Count;
  /** Version of the newest event that may have changed the own count. */
  readonly ownChangedIn: number;
  /** Another tab received the answer to a tap or undo, or the server replayed an earlier one. */
  readonly isAnswerMissing: boolean;
  readonly pending: number;
  /** Counts with pending taps; `null` without any. An event may include a pending tap: the higher count is shown. */
  readonly optimistic: Totals | null;
  /** Counts of an earlier visit, without its pending taps. */
  readonly kept: Totals | null;
}

export function displayedCounters({ group, own, optimistic }: CounterState): Totals {
  return {
    group: Math.max(group.value, optimistic?.group ?? 0),
    own: Math.max(own.value, optimistic?.own ?? 0),
  };
}

/** Leaves out pending taps, which the next visit adds again. */
export function storableCounters(state: CounterState): Totals {
  return addBeers(displayedCounters(state), -state.pending);
}

export function isOutdated({ own, ownChangedIn, isAnswerMissing }: CounterState): boolean {
  return isAnswerMissing || own.version < ownChangedIn;
}

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

/** Keeps counts with a newer version. A `null` reply has arrived in another tab. */
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

/** Takes as `askedAt` the newest version known at the request. */
export function applyFetched(state: CounterState, reply: CountersReply, askedAt: number): CounterState {
  const version = reply.version ?? askedAt;
  // A lower version: the server was restored from a backup.
  const { group, own, ownChangedIn } = version < askedAt ? createCounterState(reply) : state;
  return applyReply({ ...state, group, own, ownChangedIn, isAnswerMissing: false }, { ...reply, version });
}

/** Takes as `own` `null` if the event did not change the count, `undefined` if it may have. */
export function applyEvent(
  state: CounterState,
  { counterVal, version }: Pick<CounterEvent, "counterVal" | "version">,
  own: number | null | undefined,
): CounterState {
  return {
    ...state,
    group: newerCount(state.group, counterVal, version),
    ...(typeof own === "number" && { own: newerCount(state.own, own, version) }),
    ownChangedIn: own === undefined ? Math.max(state.ownChangedIn, version) : state.ownChangedIn,
  };
}

/**
 * Returns `null` if the event did not change the count, `undefined` if it may have: events lack the counts of
 * members who are not in the ranking. `isComplete`: the page knows all earlier changes.
 */
export function findOwnCount(
  { userId, others, totals }: Pick<CounterEvent, "userId" | "others" | "totals">,
  { id, isRanked }: { readonly id: number; readonly isRanked: boolean },
  isComplete: boolean,
): number | null | undefined {
  const own = totals?.find(([memberId]) => memberId === id);
  if (own) return own[1];
  const mayBeOwn = !isRanked && (userId === null || others?.isMore);
  return isComplete && !mayBeOwn ? null : undefined;
}

export function addTap(state: CounterState): CounterState {
  return { ...state, pending: state.pending + 1, optimistic: addBeers(displayedCounters(state), 1) };
}

/** Adds the tap to the counts stored by that visit, because newer ones may already include it. */
export function addPersistedTap(state: CounterState): CounterState {
  if (state.kept === null) return addTap(state);
  const pending = state.pending + 1;
  return { ...state, pending, optimistic: displayedCounters({ ...state, optimistic: addBeers(state.kept, pending) }) };
}

/** Keeps the optimistic counts until newer counts include the tap. */
export function answerTap(state: CounterState, reply: CountersReply | null): CounterState {
  return applyReply({ ...state, pending: Math.max(0, state.pending - 1) }, reply);
}

export function removeTap(state: CounterState): CounterState {
  const pending = Math.max(0, state.pending - 1);
  return { ...state, pending, optimistic: pending > 0 && state.optimistic ? addBeers(state.optimistic, -1) : null };
}

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
