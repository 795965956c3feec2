import { describe, expect, test } from "vitest";

import type { Phase } from "#contract/game-servers.ts";
import {
  announcements,
  context,
  done,
  ended,
  failed,
  heard,
  minute,
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
import type { Observation } from "../drivers/driver.ts";
import type { StartFailure } from "../rules.ts";
import { type GameServerState, reduce, type ServerEvent } from "./reducer.ts";

describe("changes that the driver reports", () => {
  test.each<[Phase, Observation, Phase, string | null]>([
    ["unknown", up, "running", ""],
    ["stopped", up, "running", "Keller läuft jetzt."],
    ["starting", up, "running", "Keller läuft jetzt."],
    ["running", up, "running", null],
    ["running", { ...up, startedAt: now - 1 }, "running", "Keller wurde neu gestartet."],
    ["running", off, "stopped", "Keller ist jetzt aus."],
    ["crashed", failed, "crashed", null],
    ["crashed", off, "stopped", ""],
    ["running", failed, "crashed", "Keller ist abgestürzt."],
    ["running", { ...up, status: "paused" }, "paused", "Keller ist pausiert."],
    ["running", { ...up, status: "restarting" }, "restarting", ""],
    ["running", { kind: "missing" }, "missing", "Keller ist nicht eingerichtet."],
    ["running", unreachable, "unreachable", "Die Game-Server-Steuerung ist gerade nicht erreichbar."],
    [
      "running",
      { kind: "unreachable", isMachineGone: true },
      "unreachable",
      "Der Rechner mit diesem Game-Server ist gerade nicht erreichbar.",
    ],
    ["unreachable", up, "running", "Die Game-Server-Steuerung ist wieder erreichbar."],
  ])(
    "a game server in the phase %s whose inspection returns %o gets the phase %s and the announcement “%s”",
    (phase, observation, expected, message) => {
      const { state, effects } = reduce(stateIn(phase), observed(observation), context);
      const [told] = announcements(effects);
      expect([state.phase, told?.message ?? null, told?.by ?? null]).toEqual([expected, message, null]);
    },
  );

  test("the announcements that a driver is unreachable, and later that it is reachable again, have the mark of outages", () => {
    const { effects } = run(stateIn("running"), [observed(unreachable), observed(off), observed(up)]);
    expect(announcements(effects).map(({ isOutage, isFailure }) => [isOutage, isFailure])).toEqual([
      [true, true],
      [true, false],
      [false, false],
    ]);
  });

  test("a third crash of a game server within ten minutes is not announced", () => {
    const crashAt = (state: GameServerState, at: number) =>
      run(state, [observed(failed), observed({ ...up, startedAt: at })], { now: at });
    let state = stateIn("running");
    const messages = [0, 1, 2, 3].map((round) => {
      const result = crashAt(state, now + round * second);
      state = result.state;
      return heard(result.effects);
    });
    const both = ["Keller ist abgestürzt.", "Keller läuft jetzt."];
    expect(messages).toEqual([both, both, [], []]);
    expect(heard(crashAt(state, now + 11 * minute).effects)).toEqual(both);
  });

  test("a third restart of a game server within ten minutes is not announced", () => {
    const starts = [1, 2, 3, 4].map((round) => observed({ ...up, startedAt: now + round * 5 * second }));
    const { effects } = run(stateIn("running"), starts);
    expect(announcements(effects).map(({ message }) => message)).toEqual([
      "Keller wurde neu gestartet.",
      "Keller wurde neu gestartet.",
      "",
      "",
    ]);
  });

  test("a member's start or stop of a game server is announced even after several crashes", () => {
    const { effects } = run(stateIn("running", { crashes: [now, now, now] }), [
      observed(failed),
      requested("start", failed),
      observed({ ...up, startedAt: now }),
      ended("start"),
      observed({ ...up, startedAt: now, isReady: true }),
      requested("stop", up),
      ended("stop"),
      observed(failed),
    ]);
    expect(heard(effects)).toEqual([
      "Keller wird gestartet.",
      "Keller läuft jetzt.",
      "Keller wird heruntergefahren.",
      "Keller ist jetzt aus.",
    ]);
  });

  test("a game server's start time in the future, from an engine whose clock is ahead, is not announced as a restart", () => {
    const ahead = { ...up, startedAt: now + 5 * second };
    const restarted = { ...up, startedAt: now + 15 * second };
    const { effects } = run(stateIn("stopped"), [ahead, ahead, ahead, restarted, restarted].map(observed));
    expect(heard(effects)).toEqual(["Keller läuft jetzt.", "Keller wurde neu gestartet."]);
  });
});

describe("failed starts", () => {
  const request = { requested: "start", requestedBy: 2, requestedAt: now } as const;
  const starting = stateIn("starting", { ...request, isAlive: false });
  const failure = { reason: "refused", detail: "exit 1", at: now } as const;

  test.each<[string, Observation, string, StartFailure]>([
    [
      "a program that ends at once, with its last line",
      { ...failed, lastLine: "bind: Address already in use" },
      "Start fehlgeschlagen: Keller ist beim Start wieder ausgegangen.",
      { reason: "ended", detail: "bind: Address already in use", at: now },
    ],
    [
      "a program that ends at once without an error",
      off,
      "Start fehlgeschlagen: Keller ist beim Start wieder ausgegangen.",
      { reason: "ended", detail: "Exit-Code 0", at: now },
    ],
    [
      "a machine that a script could not wake within two minutes",
      { ...off, exitCode: null },
      "Start fehlgeschlagen: Keller ist nicht angegangen.",
      { reason: "silent", detail: null, at: now },
    ],
  ])("a requested start of a game server fails because of %s", (_, observation, message, startFailure) => {
    const before = observation.kind === "found" && observation.exitCode === null ? now - 2 * minute : now;
    const { state, effects } = reduce({ ...starting, requestedAt: before }, observed(observation), context);
    expect(state).toMatchObject({ startFailure });
    expect(announcements(effects)).toEqual([
      expect.objectContaining({ message, by: null, isFailure: true, failedStartAt: now }),
    ]);
  });

  test("a failed start of a game server is announced once, even if its exit code arrives later", () => {
    const first = reduce(starting, observed({ ...off, exitCode: null, startedAt: now, lastLine: "exit" }), context);
    expect(first.state).toMatchObject({ phase: "stopped", startFailure: { reason: "ended", detail: "exit" } });
    expect(heard(first.effects)).toEqual(["Start fehlgeschlagen: Keller ist beim Start wieder ausgegangen."]);
    const late = reduce(first.state, observed({ ...failed, startedAt: now }), context);
    expect([late.state.phase, heard(late.effects)]).toEqual(["crashed", []]);
  });

  test.each<[StartFailure["reason"], string, string]>([
    ["refused", "start-failed", "Start fehlgeschlagen: Keller meldet beim Start einen Fehler."],
    ["missing", "start-failed", "Start fehlgeschlagen: Das Programm von Keller fehlt."],
    [
      "portTaken",
      "start-failed",
      "Start fehlgeschlagen: Den Netzwerk-Anschluss von Keller belegt schon ein anderes Programm.",
    ],
    ["unreachable", "unreachable", "Start fehlgeschlagen: Die Game-Server-Steuerung hat nicht geantwortet."],
  ])(
    "after a %s start, the previously requested action applies again, and the failure is announced",
    (reason, outcome, message) => {
      const before = { requested: "stop", requestedBy: 3, requestedAt: now - minute } as const;
      const events: ServerEvent[] = [requested("start"), { type: "start-failed", failure: { reason, detail: null } }];
      const { state, effects } = run(stateIn("stopped", before), events);
      expect(state).toMatchObject({ ...before, phase: "starting", startFailure: { reason, detail: null, at: now } });
      expect(done(effects)).toEqual(["(start)", outcome]);
      expect(announcements(effects).at(-1)).toMatchObject({
        message,
        by: { id: 2, avatarId: null },
        isFailure: true,
        failedStartAt: now,
      });
      const after = run(state, [ended("start"), observed(off)]);
      expect(after.state).toMatchObject({ phase: "stopped", startFailure: { reason } });
      expect([done(after.effects), heard(after.effects)]).toEqual([["(inspect)"], []]);
    },
  );

  test("a start that the driver has neither accepted nor refused in time blocks a second one until its call has ended", () => {
    const silent: ServerEvent = { type: "start-failed", failure: { reason: "unreachable", detail: null } };
    const { state } = run(stateIn("stopped"), [requested("start"), silent]);
    expect(done(reduce(state, requested("start"), context).effects)).toEqual(["busy"]);
    const { effects } = run(state, [ended("start"), observed(off), requested("start")]);
    expect(done(effects)).toEqual(["(inspect)", "(start)"]);
  });

  test.each<[string, ServerEvent]>([
    ["the server runs", observed(up)],
    ["another start is requested", requested("start")],
  ])("a failed start of a game server is no longer shown when %s", (_, event) => {
    expect(reduce(stateIn("stopped", { startFailure: failure }), event, context).state.startFailure).toBeNull();
  });

  test("a game server that crashes is announced as a failed start only if a member had requested the start", () => {
    const outside = reduce(stateIn("starting"), observed(failed), context);
    expect([outside.state.startFailure, heard(outside.effects)]).toEqual([null, ["Keller ist abgestürzt."]]);
    const stopped = reduce({ ...starting, requested: "stop" }, observed(failed), context);
    expect([stopped.state.startFailure, heard(stopped.effects)]).toEqual([null, ["Keller ist jetzt aus."]]);
  });

  test("an inspection that does not find a game server's program is not announced during a start", () => {
    const { state } = reduce(stateIn("stopped"), requested("start"), context);
    expect(heard(reduce(state, observed({ kind: "missing" }), context).effects)).toEqual([]);
  });
});
