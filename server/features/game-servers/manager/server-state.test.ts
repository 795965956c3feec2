import { describe, expect, test } from "vitest";

import type { FoundObservation, Observation } from "../drivers/driver.ts";
import type { Phase, StartFailure, SwitchAction } from "../rules.ts";
import { type GameServerState, isIdleStopDue, reduce, type ReduceContext, type ServerEvent } from "./server-state.ts";

const now = 1_000_000;
const minute = 60_000;
const context: ReduceContext = {
  name: "Keller",
  idleStopMinutes: null,
  changing: null,
  isOwnChange: false,
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

describe("the events for the pages", () => {
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
  ])("%s, then %o: %s, “%s”", (phase, observation, expected, message) => {
    const { state, announcement } = reduce(stateIn(phase), observed(observation), context);
    expect([state.phase, announcement?.message ?? null]).toEqual([expected, message]);
  });

  test("an outage is marked, since it is one for all servers", () => {
    expect(reduce(stateIn("running"), observed(unreachable), context).announcement?.isOutage).toBe(true);
    expect(reduce(stateIn("unreachable"), observed(off), context).announcement?.isOutage).toBe(true);
    expect(reduce(stateIn("running"), observed(off), context).announcement?.isOutage).toBe(false);
  });

  test("a change of our own is announced with the member who requested it", () => {
    const own = { ...context, changing: "stop", isOwnChange: true } as const;
    const stopping = reduce(stateIn("running"), observed(up), own);
    expect([stopping.state.phase, stopping.announcement]).toEqual(["stopping", null]);
    // A change that another instance left behind is news here.
    const inherited = reduce(stateIn("running"), observed(up), { ...own, isOwnChange: false });
    expect(inherited.announcement).toEqual({ message: "", isOutage: false });
  });

  test.each<[SwitchAction, Phase, Observation, string]>([
    ["start", "starting", off, "Keller ist jetzt aus."],
    ["stop", "stopping", up, "Keller läuft jetzt."],
  ])("what was observed during a %s is no news after it", (during, phase, before, message) => {
    const seen = reduce(stateIn(phase), observed(before, during), context);
    const counted = reduce(seen.state, { type: "players", players: null }, context);
    expect([seen.state.phase, counted.state.phase]).toEqual([phase, phase]);
    expect(seen.announcement?.message ?? "").toBe("");
    expect(counted.announcement).toBeNull();
    expect(reduce(counted.state, observed(before), context).announcement?.message).toBe(message);
  });

  test("a third crash within ten minutes is shown but no longer announced", () => {
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

  test("a start or stop by a member is announced to its end, also in the middle of crashes", () => {
    let state = stateIn("running", { crashes: [now, now, now] });
    const next = (event: ServerEvent, changing: SwitchAction | null = null) => {
      const result = reduce(state, event, { ...context, changing, isOwnChange: changing !== null });
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

  test("a server of an engine whose clock is fast was not restarted when its start comes to pass, but with another start", () => {
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

  test("nor was it when the app was restarted meanwhile, but with a start a minute later or more", () => {
    const before = stateIn("running", { runSince: now, lastStartedAt: null });
    const seen = (startedAt: number) =>
      reduce(before, observed({ ...up, startedAt }), { ...context, now: now + 2 * minute });
    expect(seen(now + 5000).announcement).toBeNull();
    expect(seen(now + minute).announcement?.message).toBe("Keller wurde neu gestartet.");
  });

  test("so is a third restart of which only the new run was seen", () => {
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

describe("a requested start", () => {
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
  ])("has failed: %s", (_, observation, message, startFailure) => {
    const before = observation.kind === "found" && observation.exitCode === null ? now - 2 * minute : now;
    const result = reduce({ ...starting, requestedAt: before }, observed(observation), context);
    expect(result).toMatchObject({ state: { startFailure }, announcement: { message, isOutage: false } });
  });

  test("a failed start is announced only once if its exit code arrives after its end", () => {
    const first = reduce(starting, observed({ ...off, exitCode: null, startedAt: now, lastLine: "exit" }), context);
    expect(first).toMatchObject({
      state: { phase: "stopped", startFailure: { reason: "ended", detail: "exit" } },
      announcement: { message: "Start fehlgeschlagen: Keller ist beim Start wieder ausgegangen." },
    });
    const second = reduce(first.state, observed({ ...failed, startedAt: now }), context);
    expect(second).toMatchObject({ state: { phase: "crashed" }, announcement: { message: "" } });
  });

  test("that the driver refused is announced by the change alone, and the request before it counts again", () => {
    const request = { requested: null, requestedBy: null, requestedAt: null };
    const own = { ...context, changing: "start", isOwnChange: true } as const;
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
  ])("that failed is forgotten when %s", (_, event) => {
    expect(reduce(stateIn("stopped", { startFailure: failure }), event, context).state.startFailure).toBeNull();
  });

  test("a start from outside that ends is a crash, and a stop during a start is no failure", () => {
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

  test("of a program that is missing is announced by the change alone", () => {
    const own = { ...context, changing: "start", isOwnChange: true } as const;
    expect(reduce(stateIn("stopped"), observed({ kind: "missing" }), own).announcement).toBeNull();
  });
});

describe("who plays", () => {
  const running = stateIn("running", { hasAnswered: true });

  test("is news when it changes, and not when it stays", () => {
    const first = reduce(running, { type: "players", players: emil }, context);
    expect([first.state.players, first.announcement]).toEqual([emil, { message: "", isOutage: false }]);
    expect(reduce(first.state, { type: "players", players: { ...emil } }, context).announcement).toBeNull();
  });

  test.each<[string, ServerEvent]>([
    ["the game does not answer", { type: "players", players: null }],
    ["it ends", observed(off)],
    ["it is paused", observed({ ...up, status: "paused" })],
    ["the engine is away", observed(unreachable)],
  ])("is unknown as soon as %s", (_, event) => {
    const before = { ...running, players: nobody, emptySince: now, autoStopAt: now + minute };
    const { state } = reduce(before, event, { ...context, idleStopMinutes: 1 });
    expect(state).toMatchObject({ players: null, emptySince: null, autoStopAt: null });
  });

  test("an answer ends our start, also where nobody plays", () => {
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
    // A new run begins anew.
    expect(
      reduce(ready.state, observed({ ...up, startedAt: now + 2000 }), { ...context, now: now + 2000 }).state,
    ).toMatchObject({
      hasAnswered: false,
    });
  });
});

describe("a server that stops when it is empty", () => {
  const idle = { ...context, idleStopMinutes: 20 };
  const empty = reduce(stateIn("running"), { type: "players", players: nobody }, idle).state;

  test("stops that long after the last player left, and starts over when a member asks for it", () => {
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

  test("stops that long after the clock was corrected, if it was ahead when the last player left", () => {
    const { state } = reduce(empty, { type: "players", players: nobody }, { ...idle, now: now - 90 * minute });
    expect(state).toMatchObject({ emptySince: now - 90 * minute, autoStopAt: now - 70 * minute });
  });

  test("does not while somebody plays, or nobody knows", () => {
    for (const players of [emil, null]) {
      const { state } = reduce(empty, { type: "players", players }, { ...idle, now: now + minute });
      expect(state).toMatchObject({ emptySince: null, autoStopAt: null });
      expect(isIdleStopDue(state, now + 90 * minute)).toBe(false);
    }
  });
});

test("nothing is concluded before the driver was asked", () => {
  const fresh = stateIn("unknown", { observation: null, isAlive: false });
  expect(reduce(fresh, { type: "players", players: null }, { ...context, changing: "start" })).toEqual({
    state: fresh,
    announcement: null,
  });
});
