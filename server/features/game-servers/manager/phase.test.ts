import { describe, expect, test } from "vitest";

import type { Phase } from "#contract/game-servers.ts";
import type { FoundObservation, Observation } from "../drivers/driver.ts";
import type { Status } from "../rules.ts";
import { deriveStatus, type PhaseInput } from "./phase.ts";

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
const nothing: PhaseInput = {
  requested: null,
  requestedAt: null,
  switching: null,
  hasAnswered: null,
  now,
};
const stop: Partial<PhaseInput> = { requested: "stop", requestedAt: now - 100 };
const start: Partial<PhaseInput> = { requested: "start", requestedAt: now - 100 };

function statusIn(phase: Phase, isAlive = false, runSince: number | null = now - minute): Status {
  return { phase, driverStatus: "", isAlive, runSince };
}
const stopped = statusIn("stopped");
const starting = statusIn("starting", true);
const running = statusIn("running", true);

describe("deriveStatus", () => {
  test.each<[what: string, before: Status, seen: Observation, input: Partial<PhaseInput>, phase: Phase]>([
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
  ])("deriveStatus derives the phase of a game server (%s)", (_, before, seen, input, phase) => {
    expect(deriveStatus(before, seen, { ...nothing, ...input }).phase).toBe(phase);
  });

  test("deriveStatus keeps the start time of a run that an engine with a fast clock reports", () => {
    const first = deriveStatus(stopped, { ...up, startedAt: now + 5000 }, nothing);
    const later = { ...nothing, now: now + 3000 };
    expect(deriveStatus(first, { ...up, startedAt: now + 5000 }, later)).toEqual(first);
  });

  test("deriveStatus treats a game server's start times that differ by less than two seconds as the same start", () => {
    const first = deriveStatus(stopped, { ...up, startedAt: now }, nothing);
    const later = { ...nothing, now: now + minute };
    for (const startedAt of [now - 1, now + 1, now + 1999]) {
      expect(deriveStatus(first, { ...up, startedAt }, later).runSince, String(startedAt)).toBe(now);
    }
    expect(deriveStatus(first, { ...up, startedAt: now + 2000 }, later).runSince).toBe(now + 2000);
  });

  test("deriveStatus uses the time of the first inspection as the start time of a game server that reports none", () => {
    const first = deriveStatus(stopped, { ...up, startedAt: null }, nothing);
    expect(first.runSince).toBe(now);
    expect(deriveStatus(first, { ...up, startedAt: null }, { ...nothing, now: now + 5000 }).runSince).toBe(now);
  });
});
