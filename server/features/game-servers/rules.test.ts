import { expect, test } from "vitest";

import { type Phase, toServerState } from "#contract/game-servers.ts";
import { isRequestedPhase, joinUrl } from "./rules.ts";

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
])("isRequestedPhase for the requested action %s and the phase %s returns %s", (requested, phase, isWhy) => {
  expect(isRequestedPhase(requested, phase)).toBe(isWhy);
});

test.each([
  ["spiele.example:27015", "source", "steam://connect/spiele.example:27015"],
  ["spiele.example:25565", "minecraft", null],
  [null, "none", null],
])("joinUrl for the address %s and the query protocol %s returns the link %s", (address, query, url) => {
  expect(joinUrl(address, query)).toBe(url);
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
])("toServerState turns the phase %s into the status %s with running: %s", (phase, status, isRunning) => {
  const state = toServerState({ phase, isAlive: false, driverStatus: "exited" });
  expect([state?.Status ?? null, state?.Running ?? null]).toEqual([status, isRunning]);
});
