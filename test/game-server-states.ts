// States and events of one game server, for tests of its reducer.
import type { Phase } from "#contract/game-servers.ts";
import type { FoundObservation, Observation } from "#server/features/game-servers/drivers/driver.ts";
import {
  type Announcement,
  type Effect,
  type GameServerState,
  reduce,
  type ReduceContext,
  type RequestedBy,
  type ServerEvent,
} from "#server/features/game-servers/manager/reducer.ts";
import type { SwitchAction } from "#server/features/game-servers/rules.ts";

export const now = 1_000_000;
export const second = 1000;
export const minute = 60 * second;
export const context: ReduceContext = {
  name: "Keller",
  graceSeconds: 60,
  idleStopMinutes: null,
  isQueryable: false,
  now,
};
export const ben = { id: 2, name: "Ben", avatarId: "b" };
export const nobody = { online: 0, max: 8, names: [] };
export const emil = { online: 1, max: 8, names: ["Emil"] };

export const off: FoundObservation = {
  kind: "found",
  isAlive: false,
  status: "exited",
  exitCode: 0,
  isOutOfMemory: false,
  isReady: null,
  startedAt: null,
  lastLine: null,
};
export const up: FoundObservation = {
  ...off,
  isAlive: true,
  status: "running",
  exitCode: null,
  startedAt: now - minute,
};
export const failed: FoundObservation = { ...off, exitCode: 3 };
export const unreachable: Observation = { kind: "unreachable" };

export function stateIn(phase: Phase, changes: Partial<GameServerState> = {}): GameServerState {
  const isAlive = phase === "running" || phase === "starting" || phase === "stopping" || phase === "paused";
  return {
    phase,
    driverStatus: isAlive ? "running" : "exited",
    isAlive,
    runSince: now - minute,
    requested: null,
    requestedBy: null,
    requestedAt: null,
    switching: null,
    emptySince: null,
    autoStopAt: null,
    players: null,
    startFailure: null,
    observation: isAlive ? up : off,
    hasAnswered: false,
    crashes: [],
    ...changes,
  };
}

export const observed = (observation: Observation): ServerEvent => ({ type: "observed", observation });
export const requested = (
  action: SwitchAction,
  observation: Observation | null = off,
  by: RequestedBy = ben,
): ServerEvent => ({
  type: "requested",
  action,
  by,
  observation,
});
export const ended = (action: SwitchAction): ServerEvent => ({ type: "call-ended", action });
export const refused: ServerEvent = { type: "start-failed", failure: { reason: "refused", detail: "exit 1" } };

/** Reduces events one after the other; returns the last state, and all effects in order. */
export function run(first: GameServerState, events: readonly ServerEvent[], changes: Partial<ReduceContext> = {}) {
  let state = first;
  const effects: Effect[] = [];
  for (const event of events) {
    const result = reduce(state, event, { ...context, ...changes });
    state = result.state;
    effects.push(...result.effects);
  }
  return { state, effects };
}

export const announcements = (effects: readonly Effect[]): Announcement[] =>
  effects.flatMap((effect) => (effect.type === "announce" ? [effect] : []));
/** Returns the messages for members, without announcements that only make pages refetch. */
export const heard = (effects: readonly Effect[]) => announcements(effects).flatMap(({ message }) => message || []);
/** Returns the calls to the driver and the answers. */
export const done = (effects: readonly Effect[]) =>
  effects.flatMap((effect) => {
    if (effect.type === "announce") return [];
    return effect.type === "answer" ? [effect.outcome] : [`(${effect.type})`];
  });
