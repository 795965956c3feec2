import { describe, expect, test } from "vitest";

import { type Phase, toServerState } from "#contract/game-servers.ts";
import type { FoundObservation, Observation } from "./drivers/driver.ts";
import { deriveState, isRequestedPhase, joinUrl, type DerivedState, type DeriveInput } from "./rules.ts";

const now = 1_000_000;
const minute = 60_000;
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
const nothing: DeriveInput = {
  requested: null,
  requestedAt: null,
  switching: null,
  hasAnswered: null,
  lastStartedAt: null,
  now,
};
const stop: Partial<DeriveInput> = { requested: "stop", requestedAt: now - 100 };
const start: Partial<DeriveInput> = { requested: "start", requestedAt: now - 100 };

function statusIn(phase: Phase, isAlive = false, runSince: number | null = now - minute): DerivedState {
  return { phase, driverStatus: "", isAlive, runSince };
}
const stopped = statusIn("stopped");
const starting = statusIn("starting", true);
const running = statusIn("running", true);

test.each<["start" | "stop" | null, Phase, boolean]>([
  ["start", "starting", true],
  ["start", "running", true],
  ["start", "restarting", true],
  ["start", "stopped", false],
  ["start", "crashed", false],
  ["stop", "stopping", true],
  ["stop", "stopped", true],
  ["stop", "running", false],
  ["stop", "crashed", false],
  [null, "running", false],
  [null, "stopped", false],
])("isRequestedPhase: the request %s is the reason for the phase %s: %s", (requested, phase, isWhy) => {
  expect(isRequestedPhase(requested, phase)).toBe(isWhy);
});

test.each([
  ["spiele.example:27015", "source", "steam://connect/spiele.example:27015"],
  ["spiele.example:25565", "minecraft", null],
  [null, "none", null],
])("joinUrl: the address %s with the query %s has the link %s", (address, query, url) => {
  expect(joinUrl(address, query)).toBe(url);
});

describe("deriveState", () => {
  test.each<[what: string, before: DerivedState, seen: Observation, input: Partial<DeriveInput>, phase: Phase]>([
    ["it runs", stopped, up, {}, "running"],
    ["somebody else has just started it", stopped, { ...up, startedAt: now }, {}, "running"],
    ["the app has just started it", stopped, { ...up, startedAt: now }, start, "starting"],
    [
      "the app has started it five seconds ago",
      starting,
      up,
      { requested: "start", requestedAt: now - 5000 },
      "running",
    ],
    ["the engine says it is not ready", starting, { ...up, isReady: false }, {}, "starting"],
    ["the engine says it is ready", starting, { ...up, isReady: true }, start, "running"],
    ["the game has not answered", starting, up, { hasAnswered: false }, "starting"],
    ["the game has answered", starting, up, { hasAnswered: true }, "running"],
    ["it is too busy to answer", running, { ...up, isReady: false }, { hasAnswered: false }, "running"],
    [
      "it has not become ready within five minutes",
      starting,
      { ...up, isReady: false, startedAt: now - 5 * minute },
      {},
      "running",
    ],
    ["the app is stopping it", running, up, { switching: "stop" }, "stopping"],
    ["somebody else stops it (Podman)", running, { ...off, status: "stopping" }, {}, "stopping"],
    ["the app is starting it", stopped, off, { switching: "start" }, "starting"],
    ["a script is waking its machine", starting, { ...off, exitCode: null }, start, "starting"],
    [
      "a script started nothing",
      starting,
      { ...off, exitCode: null },
      { ...start, requestedAt: now - 2 * minute },
      "stopped",
    ],
    ["it is paused", running, { ...up, status: "paused" }, {}, "paused"],
    ["it restarts again after each start", running, { ...up, status: "restarting" }, {}, "restarting"],
    ["it was never started", statusIn("unknown"), { ...off, status: "created", exitCode: null }, {}, "stopped"],
    ["it has ended", running, off, {}, "stopped"],
    ["docker stop, ended by the signal", running, { ...off, exitCode: 143 }, {}, "stopped"],
    ["docker stop, killed after the grace period", running, { ...off, exitCode: 137 }, {}, "stopped"],
    ["it failed", running, { ...off, exitCode: 3 }, {}, "crashed"],
    ["a segmentation fault", running, { ...off, exitCode: 139 }, {}, "crashed"],
    ["it ran out of memory", running, { ...off, exitCode: 137, isOutOfMemory: true }, {}, "crashed"],
    ["a requested stop with any exit code", statusIn("stopping", true), { ...off, exitCode: 1 }, stop, "stopped"],
    ["a stop of an earlier run", statusIn("running", true, now), { ...off, exitCode: 1 }, stop, "crashed"],
    ["the start failed", statusIn("starting"), { ...off, status: "created", exitCode: 127 }, start, "crashed"],
    ["nothing changed since the crash", statusIn("crashed"), { ...off, exitCode: 3 }, {}, "crashed"],
    [
      "it failed before the app first observed it",
      statusIn("unknown", false, null),
      { ...off, exitCode: 3 },
      {},
      "stopped",
    ],
    ["the engine is unreachable", running, { kind: "unreachable" }, {}, "unreachable"],
    ["there is no such container", running, { kind: "missing" }, { switching: "start" }, "missing"],
  ])("deriveState derives the phase of a game server (%s)", (_, before, seen, input, phase) => {
    expect(deriveState(before, seen, { ...nothing, ...input }).phase).toBe(phase);
  });

  test("deriveState replaces a start time in the future by the time of its first report", () => {
    const first = deriveState(stopped, { ...up, startedAt: now + 5000 }, nothing);
    expect(first.runSince).toBe(now);
    const later = { ...nothing, now: now + 3000 };
    expect(deriveState(first, { ...up, startedAt: now + 5000 }, later).runSince).toBe(now);
  });

  test("deriveState treats start times that differ by less than two seconds as the same run", () => {
    const first = deriveState(stopped, { ...up, startedAt: now }, nothing);
    const later = { ...nothing, lastStartedAt: now, now: now + minute };
    for (const startedAt of [now - 1, now + 1, now + 1999]) {
      expect(deriveState(first, { ...up, startedAt }, later).runSince, String(startedAt)).toBe(now);
    }
    expect(deriveState(first, { ...up, startedAt: now + 2000 }, later).runSince).toBe(now + 2000);
  });

  test("deriveState uses the first observation as the start of a run without a start time", () => {
    const first = deriveState(stopped, { ...up, startedAt: null }, nothing);
    expect(first.runSince).toBe(now);
    expect(deriveState(first, { ...up, startedAt: null }, { ...nothing, now: now + 5000 }).runSince).toBe(now);
  });
});

test.each<[Phase, string | null, boolean | null]>([
  ["unknown", null, null],
  ["unreachable", null, null],
  ["missing", null, null],
  ["stopped", "exited", false],
  ["crashed", "dead", false],
  ["running", "running", true],
  ["stopping", "stopping", true],
  ["restarting", "restarting", true],
  ["paused", "paused", true],
])("toServerState sends the phase %s as the status %s, running: %s", (phase, status, isRunning) => {
  const state = toServerState({ ...statusIn(phase), driverStatus: "exited" });
  expect([state?.Status ?? null, state?.Running ?? null]).toEqual([status, isRunning]);
});
