import { describe, expect, test } from "vitest";

import type { Observation } from "./drivers/driver.ts";
import {
  type StatusInput,
  deriveStatus,
  isRequestedPhase,
  joinUrl,
  updateIdleness,
  type ServerStatus,
  type Phase,
  toServerState,
} from "./rules.ts";

type Found = Extract<Observation, { kind: "found" }>;

const now = 1_000_000;
const off: Found = {
  ...{ kind: "found", isAlive: false, word: "exited", exitCode: 0 },
  ...{ isOutOfMemory: false, isReady: null, startedAt: null },
};
const up: Found = { ...off, isAlive: true, word: "running", exitCode: null, startedAt: now - 60_000 };
const quiet: StatusInput = { wanted: null, wantedAt: null, changing: null, hasAnswered: null, now };
const stopWanted: Partial<StatusInput> = { wanted: "stop", wantedAt: now - 100 };
const startWanted: Partial<StatusInput> = { wanted: "start", wantedAt: now - 100 };
const known = (phase: Phase, isAlive = false, runSince: number | null = now - 60_000): ServerStatus => ({
  ...{ phase, isAlive, runSince },
  word: "",
});

type Row = [what: string, before: ServerStatus, seen: Observation, around: Partial<StatusInput>, phase: Phase];

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
])("the wish to %s is why it is %s: %s", (wanted, phase, isWhy) => {
  expect(isRequestedPhase(wanted, phase)).toBe(isWhy);
});

test.each([
  ["spiele.example:27015", "source", "steam://connect/spiele.example:27015"],
  ["spiele.example:25565", "minecraft", null],
  [null, "none", null],
])("%s, asked by %s, is joined by %s", (address, query, url) => {
  expect(joinUrl(address, query)).toBe(url);
});

describe("what a server is doing", () => {
  test.each<Row>([
    ["it runs", known("stopped"), up, {}, "running"],
    ["somebody else has just started it", known("stopped"), { ...up, startedAt: now }, {}, "running"],
    ["we have just started it", known("stopped"), { ...up, startedAt: now }, startWanted, "starting"],
    ["our start has settled", known("starting", true), up, { wanted: "start", wantedAt: now - 5000 }, "running"],
    ["the engine says it is not ready", known("starting", true), { ...up, isReady: false }, {}, "starting"],
    ["the engine says it is ready", known("starting", true), { ...up, isReady: true }, startWanted, "running"],
    ["the game has not answered", known("starting", true), up, { hasAnswered: false }, "starting"],
    ["the game has answered", known("starting", true), up, { hasAnswered: true }, "running"],
    ["it is too busy to answer", known("running", true), { ...up, isReady: false }, { hasAnswered: false }, "running"],
    [
      "it never says it is ready",
      known("starting", true),
      { ...up, isReady: false, startedAt: now - 300_000 },
      {},
      "running",
    ],
    ["we are stopping it", known("running", true), up, { changing: "stop" }, "stopping"],
    ["somebody else stops it (Podman)", known("running", true), { ...off, word: "stopping" }, {}, "stopping"],
    ["we are starting it", known("stopped"), off, { changing: "start" }, "starting"],
    ["it is paused", known("running", true), { ...up, word: "paused" }, {}, "paused"],
    ["it starts again and again", known("running", true), { ...up, word: "restarting" }, {}, "restarting"],
    ["it was never started", known("unknown"), { ...off, word: "created", exitCode: null }, {}, "stopped"],
    ["it has ended", known("running", true), off, {}, "stopped"],
    ["docker stop, signal obeyed", known("running", true), { ...off, exitCode: 143 }, {}, "stopped"],
    ["docker stop, killed at last", known("running", true), { ...off, exitCode: 137 }, {}, "stopped"],
    ["it fell over", known("running", true), { ...off, exitCode: 3 }, {}, "crashed"],
    ["a segmentation fault", known("running", true), { ...off, exitCode: 139 }, {}, "crashed"],
    ["it ran out of memory", known("running", true), { ...off, exitCode: 137, isOutOfMemory: true }, {}, "crashed"],
    ["our stop, whatever it says at the end", known("stopping", true), { ...off, exitCode: 1 }, stopWanted, "stopped"],
    [
      "a stop of an earlier run excuses nothing",
      known("running", true, now),
      { ...off, exitCode: 1 },
      stopWanted,
      "crashed",
    ],
    [
      "our start came to nothing",
      known("starting"),
      { ...off, word: "created", exitCode: 127 },
      startWanted,
      "crashed",
    ],
    ["it still lies where it fell", known("crashed"), { ...off, exitCode: 3 }, {}, "crashed"],
    ["it fell before anybody looked", known("unknown", false, null), { ...off, exitCode: 3 }, {}, "stopped"],
    ["the engine is away", known("running", true), { kind: "unreachable" }, {}, "unreachable"],
    ["there is no such container", known("running", true), { kind: "missing" }, { changing: "start" }, "missing"],
  ])("%s", (_, before, seen, around, phase) => {
    expect(deriveStatus(before, seen, { ...quiet, ...around }).phase).toBe(phase);
  });

  test("a start in the future, by an engine whose clock is fast, counts from now", () => {
    expect(deriveStatus(known("stopped"), { ...up, startedAt: now + 5000 }, quiet).runSince).toBe(now);
  });

  test("without the engine's word for it a run begins when it was seen first", () => {
    const first = deriveStatus(known("stopped"), { ...up, startedAt: null }, quiet);
    expect(first.runSince).toBe(now);
    expect(deriveStatus(first, { ...up, startedAt: null }, { ...quiet, now: now + 5000 }).runSince).toBe(now);
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
  const state = toServerState({ ...known(phase), word: "exited" });
  expect([state?.Status ?? null, state?.Running ?? null]).toEqual([status, isRunning]);
});

describe("a server that stops when it is empty", () => {
  const minute = 60_000;
  const facts = { idleStopMinutes: 20, phase: "running" as const, online: 0, now };
  const never = { emptySince: null, autoStopAt: null };

  test("waits its minutes from when the last one left", () => {
    const first = updateIdleness(never, facts);
    expect(first).toEqual({ emptySince: now, autoStopAt: now + 20 * minute });
    expect(updateIdleness(first, { ...facts, now: now + minute })).toEqual(first);
  });

  test.each([
    ["somebody plays", { online: 1 }],
    ["nobody knows who plays", { online: null }],
    ["it does not run", { phase: "stopping" as const }],
    ["it was not told to stop by itself", { idleStopMinutes: null }],
  ])("begins to wait anew when %s", (_, change) => {
    expect(updateIdleness({ emptySince: now - 5, autoStopAt: now }, { ...facts, ...change })).toEqual(never);
  });
});
