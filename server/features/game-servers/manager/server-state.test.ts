import { describe, expect, test } from "vitest";

import type { Phase } from "#contract/game-servers.ts";
import type { FoundObservation, Observation } from "../drivers/driver.ts";
import type { StartFailure, SwitchAction } from "../rules.ts";
import { type GameServerState, isIdleStopDue, reduce, type ReduceContext, type ServerEvent } from "./server-state.ts";

const now = 1_000_000;
const minute = 60_000;
const context: ReduceContext = {
  name: "Keller",
  idleStopMinutes: null,
  switching: null,
  isOwnSwitch: false,
  now,
};
const nobody = { online: 0, max: 8, names: [] };
const emil = { online: 1, max: 8, names: ["Emil"] };

function stateIn(phase: Phase, changes: Partial<GameServerState> = {}): GameServerState {
  const isAlive = phase === "running" || phase === "starting" || phase === "stopping" || phase === "paused";
  return {
    phase,
    driverStatus: isAlive ? "running" : "exited",
    isAlive,
    runSince: now - minute,
    requested: null,
    requestedBy: null,
    requestedAt: null,
    emptySince: null,
    autoStopAt: null,
    players: null,
    startFailure: null,
    observation: isAlive ? up : off,
    observedDuring: null,
    lastStartedAt: now - minute,
    hasAnswered: null,
    crashes: [],
    ...changes,
  };
}

const off: FoundObservation = {
  kind: "found",
  isAlive: false,
  status: "exited",
  exitCode: 0,
  isOutOfMemory: false,
  isReady: null,
  startedAt: null,
  lastLine: null,
};
const up: FoundObservation = { ...off, isAlive: true, status: "running", exitCode: null, startedAt: now - minute };
const failed: FoundObservation = { ...off, exitCode: 3 };
const unreachable: Observation = { kind: "unreachable" };
const observed = (observation: Observation, during: SwitchAction | null = null): ServerEvent => ({
  type: "observed",
  observation,
  during,
});

describe("announcements", () => {
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
    ["unreachable", up, "running", "Die Game-Server-Steuerung ist wieder erreichbar."],
  ])(
    "a game server in the phase %s whose inspection returns %o gets the phase %s and the announcement “%s”",
    (phase, observation, expected, message) => {
      const { state, announcement } = reduce(stateIn(phase), observed(observation), context);
      expect([state.phase, announcement?.message ?? null]).toEqual([expected, message]);
    },
  );

  test("the announcements that a driver is unreachable, and later that it is reachable again, have the mark of outages", () => {
    expect(reduce(stateIn("running"), observed(unreachable), context).announcement?.isOutage).toBe(true);
    expect(reduce(stateIn("unreachable"), observed(off), context).announcement?.isOutage).toBe(true);
    expect(reduce(stateIn("running"), observed(off), context).announcement?.isOutage).toBe(false);
  });

  test("after this instance has announced the start or stop of a game server, a driver report of the new state announces nothing", () => {
    const own = { ...context, switching: "stop", isOwnSwitch: true } as const;
    const stopping = reduce(stateIn("running"), observed(up), own);
    expect([stopping.state.phase, stopping.announcement]).toEqual(["stopping", null]);
    // This instance has not announced a change that it has taken over from another instance.
    const inherited = reduce(stateIn("running"), observed(up), { ...own, isOwnSwitch: false });
    expect(inherited.announcement).toEqual({ message: "", isOutage: false });
  });

  test.each<[SwitchAction, Phase, Observation, string]>([
    ["start", "starting", off, "Keller ist jetzt aus."],
    ["stop", "stopping", up, "Keller läuft jetzt."],
  ])(
    "the result of an inspection during a %s of a game server is announced only if a later inspection confirms it",
    (during, phase, before, message) => {
      const seen = reduce(stateIn(phase), observed(before, during), context);
      const counted = reduce(seen.state, { type: "players", players: null }, context);
      expect([seen.state.phase, counted.state.phase]).toEqual([phase, phase]);
      expect(seen.announcement?.message ?? "").toBe("");
      expect(counted.announcement).toBeNull();
      expect(reduce(counted.state, observed(before), context).announcement?.message).toBe(message);
    },
  );

  test("a third crash of a game server within ten minutes is not announced", () => {
    let state = stateIn("running");
    const messages: (string | undefined)[] = [];
    for (let round = 0; round < 4; round += 1) {
      const at = now + round * 1000;
      for (const observation of [failed, { ...up, startedAt: at }]) {
        const result = reduce(state, observed(observation), { ...context, now: at });
        state = result.state;
        messages.push(result.announcement?.message);
      }
    }
    const [crashed, runs] = ["Keller ist abgestürzt.", "Keller läuft jetzt."];
    expect(messages).toEqual([crashed, runs, crashed, runs, "", "", "", ""]);
    const later = { ...context, now: now + 11 * minute };
    expect(reduce(state, observed(failed), later).announcement?.message).toBe(crashed);
  });

  test("a member's start or stop of a game server is announced even after several crashes", () => {
    let state = stateIn("running", { crashes: [now, now, now] });
    const next = (event: ServerEvent, switching: SwitchAction | null = null) => {
      const result = reduce(state, event, { ...context, switching, isOwnSwitch: switching !== null });
      state = result.state;
      return result.announcement?.message;
    };
    const request = { requestedBy: 2, requestedAt: now } as const;
    expect(next(observed(failed))).toBe("");
    next({ type: "requested", request: { ...request, requested: "start" } }, "start");
    next(observed({ ...up, startedAt: now }));
    expect(next(observed({ ...up, startedAt: now, isReady: true }))).toBe("Keller läuft jetzt.");
    next({ type: "requested", request: { ...request, requested: "stop" } }, "stop");
    expect(next(observed(failed))).toBe("Keller ist jetzt aus.");
  });

  test("a game server's start time in the future, from an engine whose clock is ahead, is not announced as a restart", () => {
    const startedAt = now + 5000;
    const seen = [
      { startedAt, at: now },
      { startedAt, at: now + 1000 },
      { startedAt, at: now + 6000 },
      { startedAt: startedAt + 10_000, at: now + 11_000 },
      { startedAt: startedAt + 10_000, at: now + 20_000 },
    ];
    let state = stateIn("stopped");
    const messages = seen.map(({ at, ...report }) => {
      const result = reduce(state, observed({ ...up, ...report }), { ...context, now: at });
      state = result.state;
      return result.announcement?.message;
    });
    expect(messages).toEqual(["Keller läuft jetzt.", undefined, undefined, "Keller wurde neu gestartet.", undefined]);
  });

  test("after an app restart, a changed start time of a game server counts as its restart only from a minute's difference", () => {
    const before = stateIn("running", { runSince: now, lastStartedAt: null });
    const seen = (startedAt: number) =>
      reduce(before, observed({ ...up, startedAt }), { ...context, now: now + 2 * minute });
    expect(seen(now + 5000).announcement).toBeNull();
    expect(seen(now + minute).announcement?.message).toBe("Keller wurde neu gestartet.");
  });

  test("a third restart of a game server within ten minutes is not announced", () => {
    let state = stateIn("running");
    const messages = [1, 2, 3, 4].map((round) => {
      const at = now + round * 5000;
      const result = reduce(state, observed({ ...up, startedAt: at }), { ...context, now: at });
      state = result.state;
      return result.announcement?.message;
    });
    expect(messages).toEqual(["Keller wurde neu gestartet.", "Keller wurde neu gestartet.", "", ""]);
  });
});

describe("requested starts", () => {
  const requested = { requested: "start", requestedBy: 2, requestedAt: now } as const;
  const starting = stateIn("starting", { ...requested, isAlive: false });
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
    const result = reduce({ ...starting, requestedAt: before }, observed(observation), context);
    expect(result).toMatchObject({ state: { startFailure }, announcement: { message, isOutage: false } });
  });

  test("a failed start of a game server is announced once, even if its exit code arrives later", () => {
    const first = reduce(starting, observed({ ...off, exitCode: null, startedAt: now, lastLine: "exit" }), context);
    expect(first).toMatchObject({
      state: { phase: "stopped", startFailure: { reason: "ended", detail: "exit" } },
      announcement: { message: "Start fehlgeschlagen: Keller ist beim Start wieder ausgegangen." },
    });
    const second = reduce(first.state, observed({ ...failed, startedAt: now }), context);
    expect(second).toMatchObject({ state: { phase: "crashed" }, announcement: { message: "" } });
  });

  test("after a start that the driver refuses, the game server's previously requested action applies again", () => {
    const request = { requested: null, requestedBy: null, requestedAt: null };
    const own = { ...context, switching: "start", isOwnSwitch: true } as const;
    const before = { ...starting, observation: off, observedDuring: "start" } as const;
    const refused = reduce(before, { type: "start-failed", failure, request }, own);
    expect(refused).toMatchObject({
      state: { phase: "starting", ...request, startFailure: failure },
      announcement: null,
    });
    const after = reduce(refused.state, observed(off), context);
    expect(after).toMatchObject({
      state: { phase: "stopped", startFailure: failure },
      announcement: { message: "", isOutage: false },
    });
  });

  test.each<[string, ServerEvent]>([
    ["the server runs", observed(up)],
    ["another start is requested", { type: "requested", request: requested }],
  ])("a failed start of a game server is no longer shown when %s", (_, event) => {
    expect(reduce(stateIn("stopped", { startFailure: failure }), event, context).state.startFailure).toBeNull();
  });

  test("a game server that crashes is announced as a failed start only if a member had requested the start", () => {
    const outside = reduce(stateIn("starting"), observed(failed), context);
    expect(outside).toMatchObject({
      state: { startFailure: null },
      announcement: { message: "Keller ist abgestürzt." },
    });
    const stopped = reduce({ ...starting, requested: "stop" }, observed(failed), context);
    expect(stopped).toMatchObject({
      state: { startFailure: null },
      announcement: { message: "Keller ist jetzt aus." },
    });
  });

  test("an inspection that does not find a game server's program is not announced during a start", () => {
    const own = { ...context, switching: "start", isOwnSwitch: true } as const;
    expect(reduce(stateIn("stopped"), observed({ kind: "missing" }), own).announcement).toBeNull();
  });
});

describe("players", () => {
  const running = stateIn("running", { hasAnswered: true });

  test("players of a game server are announced only if they have changed", () => {
    const first = reduce(running, { type: "players", players: emil }, context);
    expect([first.state.players, first.announcement]).toEqual([emil, { message: "", isOutage: false }]);
    expect(reduce(first.state, { type: "players", players: { ...emil } }, context).announcement).toBeNull();
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
    const request = { requested: "start", requestedBy: 2, requestedAt: now } as const;
    const started = reduce(stateIn("stopped", { hasAnswered: true }), { type: "requested", request }, context).state;
    expect(started).toMatchObject({ ...request, hasAnswered: false });
    const alive = reduce(started, observed({ ...up, startedAt: now }), context).state;
    expect(alive.phase).toBe("starting");
    const silent = reduce(alive, { type: "players", players: null }, context).state;
    expect(silent).toMatchObject({ phase: "starting", hasAnswered: false });
    const ready = reduce(silent, { type: "players", players: nobody }, context);
    expect(ready).toMatchObject({
      state: { phase: "running", players: nobody, hasAnswered: true },
      announcement: { message: "Keller läuft jetzt." },
    });
    // A new run of the program counts as starting again.
    expect(
      reduce(ready.state, observed({ ...up, startedAt: now + 2000 }), { ...context, now: now + 2000 }).state,
    ).toMatchObject({
      hasAnswered: false,
    });
  });
});

describe("automatic stop", () => {
  const idle = { ...context, idleStopMinutes: 20 };
  const empty = reduce(stateIn("running"), { type: "players", players: nobody }, idle).state;

  test("an empty game server stops after a waiting time, which begins again if a member chooses to keep it running", () => {
    expect(empty).toMatchObject({ emptySince: now, autoStopAt: now + 20 * minute });
    expect([isIdleStopDue(empty, now + 20 * minute - 1), isIdleStopDue(empty, now + 20 * minute)]).toEqual([
      false,
      true,
    ]);
    const kept = reduce(empty, { type: "kept-running" }, { ...idle, now: now + 15 * minute });
    expect(kept.state.autoStopAt).toBe(now + 35 * minute);
    expect(kept.announcement).toEqual({ message: "", isOutage: false });
    expect(reduce(stateIn("running"), { type: "kept-running" }, idle).announcement).toBeNull();
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
  expect(reduce(fresh, { type: "players", players: null }, { ...context, switching: "start" })).toEqual({
    state: fresh,
    announcement: null,
  });
});
