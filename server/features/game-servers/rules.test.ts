import { describe, expect, test } from "vitest";

import type { FoundObservation, Observation } from "./drivers/driver.ts";
import {
  deriveStatus,
  isRequestedPhase,
  joinUrl,
  type Phase,
  type ServerStatus,
  type StatusInput,
  toServerState,
} from "./rules.ts";

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
const nothing: StatusInput = {
  requested: null,
  requestedAt: null,
  changing: null,
  hasAnswered: null,
  lastStartedAt: null,
  now,
};
const stop: Partial<StatusInput> = { requested: "stop", requestedAt: now - 100 };
const start: Partial<StatusInput> = { requested: "start", requestedAt: now - 100 };

function statusIn(phase: Phase, isAlive = false, runSince: number | null = now - minute): ServerStatus {
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
])("a requested %s is why it is %s: %s", (requested, phase, isWhy) => {
  expect(isRequestedPhase(requested, phase)).toBe(isWhy);
});

test.each([
  ["spiele.example:27015", "source", "steam://connect/spiele.example:27015"],
  ["spiele.example:25565", "minecraft", null],
  [null, "none", null],
])("%s, queried by %s, is joined by %s", (address, query, url) => {
  expect(joinUrl(address, query)).toBe(url);
});

describe("what a server is doing", () => {
  test.each<[what: string, before: ServerStatus, seen: Observation, input: Partial<StatusInput>, phase: Phase]>([
    ["it runs", stopped, up, {}, "running"],
    ["somebody else has just started it", stopped, { ...up, startedAt: now }, {}, "running"],
    ["the app has just started it", stopped, { ...up, startedAt: now }, start, "starting"],
    ["the app's start is long enough ago", starting, up, { requested: "start", requestedAt: now - 5000 }, "running"],
    ["the engine says it is not ready", starting, { ...up, isReady: false }, {}, "starting"],
    ["the engine says it is ready", starting, { ...up, isReady: true }, start, "running"],
    ["the game has not answered", starting, up, { hasAnswered: false }, "starting"],
    ["the game has answered", starting, up, { hasAnswered: true }, "running"],
    ["it is too busy to answer", running, { ...up, isReady: false }, { hasAnswered: false }, "running"],
    ["it never says it is ready", starting, { ...up, isReady: false, startedAt: now - 5 * minute }, {}, "running"],
    ["the app is stopping it", running, up, { changing: "stop" }, "stopping"],
    ["somebody else stops it (Podman)", running, { ...off, status: "stopping" }, {}, "stopping"],
    ["the app is starting it", stopped, off, { changing: "start" }, "starting"],
    ["a script is waking its machine", starting, { ...off, exitCode: null }, start, "starting"],
    [
      "a script started nothing",
      starting,
      { ...off, exitCode: null },
      { ...start, requestedAt: now - 2 * minute },
      "stopped",
    ],
    ["it is paused", running, { ...up, status: "paused" }, {}, "paused"],
    ["it starts again and again", running, { ...up, status: "restarting" }, {}, "restarting"],
    ["it was never started", statusIn("unknown"), { ...off, status: "created", exitCode: null }, {}, "stopped"],
    ["it has ended", running, off, {}, "stopped"],
    ["docker stop, signal obeyed", running, { ...off, exitCode: 143 }, {}, "stopped"],
    ["docker stop, killed at last", running, { ...off, exitCode: 137 }, {}, "stopped"],
    ["it failed", running, { ...off, exitCode: 3 }, {}, "crashed"],
    ["a segmentation fault", running, { ...off, exitCode: 139 }, {}, "crashed"],
    ["it ran out of memory", running, { ...off, exitCode: 137, isOutOfMemory: true }, {}, "crashed"],
    ["a requested stop with any exit code", statusIn("stopping", true), { ...off, exitCode: 1 }, stop, "stopped"],
    ["a stop of an earlier run", statusIn("running", true, now), { ...off, exitCode: 1 }, stop, "crashed"],
    ["the start failed", statusIn("starting"), { ...off, status: "created", exitCode: 127 }, start, "crashed"],
    ["nothing changed since the crash", statusIn("crashed"), { ...off, exitCode: 3 }, {}, "crashed"],
    ["it failed before the app knew it", statusIn("unknown", false, null), { ...off, exitCode: 3 }, {}, "stopped"],
    ["the engine is away", running, { kind: "unreachable" }, {}, "unreachable"],
    ["there is no such container", running, { kind: "missing" }, { changing: "start" }, "missing"],
  ])("%s", (_, before, seen, input, phase) => {
    expect(deriveStatus(before, seen, { ...nothing, ...input }).phase).toBe(phase);
  });

  test("a start in the future, by an engine whose clock is fast, counts from when it was seen first", () => {
    const first = deriveStatus(stopped, { ...up, startedAt: now + 5000 }, nothing);
    expect(first.runSince).toBe(now);
    const later = { ...nothing, now: now + 3000 };
    expect(deriveStatus(first, { ...up, startedAt: now + 5000 }, later).runSince).toBe(now);
  });

  test("a start that is reported a little differently each time is the same one", () => {
    const first = deriveStatus(stopped, { ...up, startedAt: now }, nothing);
    const later = { ...nothing, lastStartedAt: now, now: now + minute };
    for (const startedAt of [now - 1, now + 1, now + 1999]) {
      expect(deriveStatus(first, { ...up, startedAt }, later).runSince, String(startedAt)).toBe(now);
    }
    expect(deriveStatus(first, { ...up, startedAt: now + 2000 }, later).runSince).toBe(now + 2000);
  });

  test("where the driver does not know, a run began when it was seen first", () => {
    const first = deriveStatus(stopped, { ...up, startedAt: null }, nothing);
    expect(first.runSince).toBe(now);
    expect(deriveStatus(first, { ...up, startedAt: null }, { ...nothing, now: now + 5000 }).runSince).toBe(now);
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
])("members read %s as %s", (phase, status, isRunning) => {
  const state = toServerState({ ...statusIn(phase), driverStatus: "exited" });
  expect([state?.Status ?? null, state?.Running ?? null]).toEqual([status, isRunning]);
});
