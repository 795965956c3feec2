import { describe, expect, test } from "vitest";

import {
  announcements,
  context,
  done,
  emil,
  ended,
  heard,
  minute,
  nobody,
  now,
  observed,
  off,
  requested,
  run,
  second,
  stateIn,
  unreachable,
  up,
} from "#test/game-server-states.ts";
import { type GameServerState, isIdleStopDue, reduce, type ServerEvent } from "./reducer.ts";

describe("players", () => {
  const queryable = { ...context, isQueryable: true };
  const running = stateIn("running", { hasAnswered: true });

  test("players of a game server are announced only if they have changed", () => {
    const first = reduce(running, { type: "players", players: emil }, queryable);
    expect(first.state.players).toEqual(emil);
    expect(announcements(first.effects)).toEqual([expect.objectContaining({ message: "", isOutage: false })]);
    expect(reduce(first.state, { type: "players", players: { ...emil } }, queryable).effects).toEqual([]);
  });

  test.each<[string, ServerEvent]>([
    ["the game does not answer", { type: "players", players: null }],
    ["it ends", observed(off)],
    ["it is paused", observed({ ...up, status: "paused" })],
    ["the engine is unreachable", observed(unreachable)],
  ])("the players of a game server are unknown as soon as %s", (_, event) => {
    const before = { ...running, players: nobody, emptySince: now, autoStopAt: now + minute };
    const { state } = reduce(before, event, { ...context, idleStopMinutes: 1 });
    expect(state).toMatchObject({ players: null, emptySince: null, autoStopAt: null });
  });

  test("a starting game server runs once the game answers a query for its players, even if there are none", () => {
    const first = stateIn("stopped", { hasAnswered: true });
    const { state: started } = run(first, [requested("start"), ended("start")], queryable);
    expect(started).toMatchObject({ requested: "start", hasAnswered: false });
    const alive = run(started, [observed({ ...up, startedAt: now }), { type: "players", players: null }], queryable);
    expect(alive.state).toMatchObject({ phase: "starting", hasAnswered: false });
    const ready = reduce(alive.state, { type: "players", players: nobody }, queryable);
    expect(ready.state).toMatchObject({ phase: "running", players: nobody, hasAnswered: true });
    expect(heard(ready.effects)).toEqual(["Keller läuft jetzt."]);
    // A new run of the program counts as starting again.
    const again = observed({ ...up, startedAt: now + 2 * second });
    expect(reduce(ready.state, again, { ...queryable, now: now + 2 * second }).state).toMatchObject({
      hasAnswered: false,
    });
  });
});

describe("automatic stop", () => {
  const idle = { ...context, idleStopMinutes: 20 };
  const empty = reduce(stateIn("running"), { type: "players", players: nobody }, idle).state;

  test("an empty game server stops after a waiting time, which begins again if a member chooses to keep it running", () => {
    expect(empty).toMatchObject({ emptySince: now, autoStopAt: now + 20 * minute });
    const isDue = (state: GameServerState, at: number) => isIdleStopDue(state, now + at);
    expect([isDue(empty, 20 * minute - 1), isDue(empty, 20 * minute)]).toEqual([false, true]);
    expect(isDue(reduce(empty, requested("stop", up), idle).state, 20 * minute)).toBe(false);
    const kept = reduce(empty, { type: "kept-running" }, { ...idle, now: now + 15 * minute });
    expect(kept.state.autoStopAt).toBe(now + 35 * minute);
    expect([done(kept.effects), announcements(kept.effects).map(({ message }) => message)]).toEqual([
      ["running"],
      [""],
    ]);
    const unplanned = reduce(stateIn("running"), { type: "kept-running" }, idle);
    expect(unplanned.effects).toEqual([{ type: "answer", outcome: "running" }]);
  });

  test("a game server that is being stopped or does not run cannot be kept running", () => {
    for (const state of [reduce(empty, requested("stop", up), idle).state, stateIn("stopped")]) {
      expect(done(reduce(state, { type: "kept-running" }, idle).effects)).toEqual(["busy"]);
    }
  });

  test("a clock that is set back does not postpone the automatic stop of a game server", () => {
    const { state } = reduce(empty, { type: "players", players: nobody }, { ...idle, now: now - 90 * minute });
    expect(state).toMatchObject({ emptySince: now - 90 * minute, autoStopAt: now - 70 * minute });
  });

  test("a game server with players or with unknown players does not stop automatically", () => {
    for (const players of [emil, null]) {
      const { state } = reduce(empty, { type: "players", players }, { ...idle, now: now + minute });
      expect(state).toMatchObject({ emptySince: null, autoStopAt: null });
      expect(isIdleStopDue(state, now + 90 * minute)).toBe(false);
    }
  });
});

test("a number of players that arrives before the first inspection of a game server does not change the server's state", () => {
  const fresh = stateIn("unknown", { observation: null, isAlive: false });
  expect(reduce(fresh, { type: "players", players: null }, context)).toEqual({ state: fresh, effects: [] });
});
