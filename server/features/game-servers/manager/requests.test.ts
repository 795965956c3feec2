import { describe, expect, test } from "vitest";

import type { Phase } from "#contract/game-servers.ts";
import {
  announcements,
  ben,
  context,
  done,
  ended,
  heard,
  minute,
  now,
  observed,
  off,
  refused,
  requested,
  run,
  second,
  stateIn,
  unreachable,
  up,
} from "#test/game-server-states.ts";
import type { Observation } from "../drivers/driver.ts";
import type { SwitchAction } from "../rules.ts";
import { type GameServerState, reduce, type RequestedBy, takeOver } from "./reducer.ts";

describe("requests", () => {
  test("a start is announced with the member's name, sent to the driver, and reported by the driver afterwards", () => {
    const { state, effects } = reduce(stateIn("stopped"), requested("start"), context);
    expect(state).toMatchObject({ phase: "starting", requested: "start", requestedBy: 2, requestedAt: now });
    expect(announcements(effects)).toEqual([
      expect.objectContaining({ message: "Keller wird gestartet.", by: ben, isFailure: false }),
    ]);
    expect(done(effects)).toEqual(["(start)"]);
    const later = run(state, [ended("start"), observed({ ...up, startedAt: now, isReady: true })]);
    expect(later.state).toMatchObject({ phase: "running", switching: null });
    expect([done(later.effects), heard(later.effects)]).toEqual([["(inspect)"], ["Keller läuft jetzt."]]);
  });

  test.each<[RequestedBy, string]>([
    [ben, "Keller wird heruntergefahren."],
    [null, "Keller wird heruntergefahren, weil niemand spielt."],
  ])("a stop by %o is answered and announced before the driver has stopped the game server", (by, message) => {
    const { state, effects } = reduce(stateIn("running"), requested("stop", up, by), context);
    expect(state).toMatchObject({ phase: "stopping", requested: "stop", requestedBy: by?.id ?? null });
    expect(announcements(effects)).toEqual([expect.objectContaining({ message, by })]);
    expect(done(effects)).toEqual(["stopping", "(stop)"]);
    const later = run(state, [observed(up), ended("stop"), observed({ ...off, exitCode: 1 })]);
    expect([later.state.phase, heard(later.effects)]).toEqual(["stopped", ["Keller ist jetzt aus."]]);
  });

  test.each<[SwitchAction, Phase, Observation | null, string]>([
    ["start", "running", up, "running"],
    ["start", "stopped", { ...off, status: "restarting" }, "running"],
    ["start", "stopping", { ...up, status: "stopping" }, "busy"],
    ["start", "stopped", unreachable, "unreachable"],
    ["start", "stopped", null, "busy"],
    ["stop", "stopped", off, "off"],
    ["stop", "running", off, "off"],
    ["stop", "missing", { kind: "missing" }, "missing"],
    ["stop", "running", unreachable, "unreachable"],
  ])(
    "a %s in the phase %s with the report %o is answered with “%s” without a change",
    (action, phase, seen, outcome) => {
      const { state, effects } = reduce(stateIn(phase), requested(action, seen), context);
      expect([done(effects), state.requested, state.switching]).toEqual([[outcome], null, null]);
    },
  );

  test("a start of a missing program is announced as a failed start of the member, without the name", () => {
    const { effects } = reduce(stateIn("running"), requested("start", { kind: "missing" }), context);
    expect(announcements(effects)).toEqual([
      expect.objectContaining({
        message: "Start fehlgeschlagen: Das Programm von Keller fehlt.",
        by: { id: 2, avatarId: null },
        isFailure: true,
      }),
    ]);
    expect(done(effects)).toEqual(["missing"]);
  });

  test.each<[SwitchAction, SwitchAction]>([
    ["start", "start"],
    ["stop", "start"],
    ["stop", "stop"],
  ])("during a %s, a %s is refused", (current, next) => {
    const { state } = reduce(
      stateIn(current === "start" ? "stopped" : "running"),
      requested(current, current === "start" ? off : up),
      context,
    );
    expect(done(reduce(state, requested(next, off), context).effects)).toEqual(["busy"]);
  });

  test("a stop requested during a start follows it, and a second one is refused", () => {
    const { state, effects } = run(stateIn("stopped"), [requested("start"), requested("stop"), requested("stop")]);
    expect(done(effects)).toEqual(["(start)", "stopping", "busy"]);
    expect(heard(effects)).toEqual(["Keller wird gestartet.", "Keller wird heruntergefahren."]);
    const stopped = run(state, [ended("start"), observed(up), ended("stop"), observed(off)]);
    expect(done(stopped.effects)).toEqual(["(stop)", "(inspect)"]);
    expect([stopped.state.phase, heard(stopped.effects)]).toEqual(["stopped", ["Keller ist jetzt aus."]]);
  });

  test("a refused start during which a stop was requested is not announced as failed", () => {
    const { state, effects } = run(stateIn("stopped"), [requested("start"), requested("stop"), refused]);
    expect(done(effects)).toEqual(["(start)", "stopping", "start-failed"]);
    expect(heard(effects)).toHaveLength(2);
    expect(state).toMatchObject({ requested: "stop", startFailure: null });
  });

  test("the state after a start or stop is announced only once an inspection has followed it", () => {
    const started = run(stateIn("stopped"), [requested("start"), ended("start"), { type: "players", players: null }]);
    expect([started.state.phase, heard(started.effects)]).toEqual(["starting", ["Keller wird gestartet."]]);
    const { state, effects } = run(stateIn("running"), [
      requested("stop", up),
      ended("stop"),
      { type: "players", players: null },
    ]);
    expect([state.phase, heard(effects)]).toEqual(["stopping", ["Keller wird heruntergefahren."]]);
    expect(heard(reduce(state, observed(up), context).effects)).toEqual(["Keller läuft jetzt."]);
  });

  test("a failed stop is announced as a failure only if the game server still runs", () => {
    const { state } = reduce(stateIn("running"), requested("stop", up), context);
    const still = run(state, [observed(up), { type: "stop-failed" }]);
    expect(announcements(still.effects)).toEqual([
      expect.objectContaining({ message: "Keller ließ sich nicht herunterfahren.", by: null, isFailure: true }),
    ]);
    const gone = run(state, [observed(off), { type: "stop-failed" }]);
    expect(heard(gone.effects)).toEqual(["Keller ist jetzt aus."]);
  });

  test("the start of a game server whose machine is booting continues if its stop fails", () => {
    const booting = { ...off, exitCode: null };
    const start = { requested: "start", requestedBy: 2, requestedAt: now } as const;
    const { state, effects } = run(stateIn("starting", { ...start, isAlive: false }), [
      requested("stop", booting, { id: 3, avatarId: null }),
      observed(booting),
      { type: "stop-failed" },
      ended("stop"),
      observed(booting),
    ]);
    expect(state).toMatchObject({ phase: "starting", ...start });
    expect(done(effects)).toEqual(["stopping", "(stop)", "(inspect)"]);
    expect(heard(effects)).toEqual(["Keller wird heruntergefahren.", "Keller ließ sich nicht herunterfahren."]);
  });
});

describe("a start or stop that a killed instance has left unfinished", () => {
  const left = (action: SwitchAction, until: number, changes: Partial<GameServerState> = {}) =>
    takeOver(
      { ...stateIn(action === "start" ? "starting" : "stopping"), switching: { action, until }, ...changes },
      now,
    );

  test.each<[string, number, number]>([
    ["its deadline", now + 5 * second, 5 * second],
    ["20 seconds if its deadline is later", now + 5 * minute, 20 * second],
    ["20 seconds if its deadline is in the far future", 9e12, 20 * second],
  ])("blocks other starts and stops until %s", (_, until, blockedMs) => {
    const state = left("stop", until);
    const at = (time: number) => reduce(state, requested("start"), { ...context, now: time });
    expect(done(at(now + blockedMs - 1).effects)).toEqual(["busy"]);
    expect(done(at(now + blockedMs).effects)).toEqual(["(start)", "(inspect)"]);
  });

  test("shows the transition without a second announcement, and its result afterwards", () => {
    const state = left("stop", now + 10 * second);
    const during = reduce(state, observed(up), context);
    expect([during.state.phase, heard(during.effects)]).toEqual(["stopping", []]);
    const after = reduce(during.state, observed(off), { ...context, now: now + 10 * second });
    expect(after.state).toMatchObject({ phase: "stopped", switching: null });
    expect(heard(after.effects)).toEqual(["Keller ist jetzt aus."]);
  });

  test("a stop that was requested during the unfinished start follows it", () => {
    const state = left("start", now + 10 * second, { requested: "stop" });
    const { effects } = reduce(state, observed(up), { ...context, now: now + 10 * second });
    expect(done(effects)).toEqual(["(stop)"]);
  });
});

test("a start or stop whose end could not be stored no longer blocks a game server after its deadline", () => {
  for (const [action, longest] of [
    ["start", 20 * second],
    ["stop", 80 * second],
  ] as const) {
    const { state } = reduce(
      stateIn(action === "start" ? "stopped" : "running"),
      requested(action, action === "start" ? off : up),
      context,
    );
    const at = (time: number) => reduce(state, observed(off), { ...context, now: time }).state.switching;
    expect([at(now + longest - 1), at(now + longest)]).toEqual([expect.objectContaining({ action }), null]);
  }
});
