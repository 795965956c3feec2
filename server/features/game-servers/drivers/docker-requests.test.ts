import { beforeEach, expect, test } from "vitest";

import { createTarget, startTarget, stopTarget, watchTargets } from "#test/driver-watch.ts";
import { type FakeEngine, createFakeEngine } from "#test/fake-engine.ts";
import { createDockerDriver } from "./docker.ts";
import { type Driver, EngineRefusedError } from "./driver.ts";

let engine: FakeEngine;
let driver: Driver;
const anna = createTarget("gs-anna");

beforeEach(async () => {
  engine = await createFakeEngine();
  engine.create("gs-anna");
  driver = createDockerDriver({ engineUrl: engine.url });
});

test("the Docker driver reports a missing engine as unreachable, over a Unix socket and over the network", async () => {
  for (const engineUrl of [
    "unix:///nowhere/engine.sock",
    "http://127.0.0.1:1",
    "http://[::1]:1",
    "https://127.0.0.1:1",
  ]) {
    expect(await createDockerDriver({ engineUrl }).inspect(anna), engineUrl).toEqual({ kind: "unreachable" });
  }
});

test("the Docker driver sends only ping, inspect, start, stop and event requests, with one inspection per change", async () => {
  const { changes, end } = watchTargets(driver, ["gs-anna"]);
  await startTarget(driver, anna);
  await stopTarget(driver, { ...anna, graceSeconds: 7 });
  await expect.poll(() => changes).toContainEqual([0]);
  end();
  expect(engine.calls.filter((call) => call.endsWith("/json"))).toHaveLength(2);
  const allowed =
    /^(GET (\/_ping|\/v1\.41\/containers\/gs-anna\/json|\/v1\.41\/events\?\S+)|POST \/v1\.41\/containers\/gs-anna\/(start|stop\?t=7))$/;
  expect(engine.calls.filter((call) => !allowed.test(call))).toEqual([]);
  expect(engine.calls.filter((call) => call.startsWith("POST"))).toHaveLength(2);
});

test("the Docker driver uses the engine's newest API version if the engine does not support version 1.41", async () => {
  engine.versions = { oldest: 44, newest: 52 };
  await startTarget(driver, anna);
  expect(engine.calls.at(-1)).toBe("POST /v1.52/containers/gs-anna/start");
  engine.versions = { oldest: 24, newest: 47 };
  await expect.poll(() => driver.inspect(anna)).toMatchObject({ status: "running" });
  expect(engine.calls.at(-1)).toBe("GET /v1.47/containers/gs-anna/json");
});

test("the Docker driver refuses an engine so old that a start request could add mounts", async () => {
  engine.versions = { oldest: 12, newest: 40 };
  expect(await driver.inspect(anna)).toEqual({ kind: "unreachable" });
  expect(engine.calls).toEqual(["GET /_ping"]);
});

test("the Docker driver survives incomplete, invalid and endless event messages", async () => {
  const { changes, end } = watchTargets(driver, ["gs-anna"]);
  await expect.poll(() => changes.splice(0)).toContain("all");
  const event = JSON.stringify({
    Type: "container",
    Action: "die",
    Actor: { ID: "x", Attributes: { name: "gs-anna" } },
  });
  engine.write(event.slice(0, 40));
  engine.write(`${event.slice(40)}\nnonsense\n{}\nnull\n${event.replace("gs-anna", "gs-somebody")}\n`);
  engine.write(`${event.replace("die", "exec_create: /bin/check")}\n`);
  await expect.poll(() => changes).toEqual([[0]]);

  engine.write("x".repeat(300_000));
  await expect.poll(() => changes.splice(0)).toContain("all");
  await expect.poll(() => engine.calls.filter((call) => call.includes("/events")).length).toBeGreaterThan(1);
  await expect.poll(() => changes.splice(0)).toContain("all");
  engine.write(`${event}\n`);
  await expect.poll(() => changes).toContainEqual([0]);
  end();
});

test("the Docker driver reads only the beginning of an endless answer", async () => {
  engine.fault = "huge";
  expect(await driver.inspect(anna)).toEqual({ kind: "unreachable" });
  // The number of sent bytes includes bytes that the driver never read.
  expect(engine.bytesSent).toBeLessThan(4_000_000);
});

test("the Docker driver polls if the engine refuses event streams", async () => {
  engine.isRefusingEvents = true;
  engine.create("gs-ben");
  const { changes, end } = watchTargets(driver, ["gs-anna", "gs-ben"]);
  await expect.poll(() => changes.splice(0)).toContainEqual([0, 1]);
  await engine.runOutside("start", "gs-ben");
  await expect.poll(() => changes.splice(0), { interval: 20 }).toContainEqual([1]);
  await engine.kill();
  await expect.poll(() => changes.splice(0), { interval: 20 }).toContainEqual([0, 1]);
  await engine.restart();
  await expect.poll(() => changes.splice(0), { interval: 20 }).toContainEqual([0, 1]);
  end();
  expect(engine.calls.filter((call) => call.includes("/events"))).toHaveLength(1);
});

test("a game server in a container with the health check “starting” is not ready, with “healthy” it is; other results do not tell", async () => {
  const container = engine.create("gs-carla");
  const target = createTarget("gs-carla");
  await startTarget(driver, target);
  for (const [health, isReady] of [
    ["starting", false],
    ["healthy", true],
    ["unhealthy", null],
    ["", null],
  ] as const) {
    container.health = health;
    expect(await driver.inspect(target)).toMatchObject({ isAlive: true, isReady });
  }
  container.health = "unhealthy";
  await stopTarget(driver, target);
  expect(await driver.inspect(target)).toMatchObject({ isAlive: false, isReady: null });
});

test.each([
  [500, "…: Bind for 0.0.0.0:25565 failed: port is already allocated", "portTaken"],
  [500, "rootlessport listen tcp 0.0.0.0:25565: bind: address already in use", "portTaken"],
  [404, "No such image: itzg/minecraft-server:latest", "missing"],
  [500, "oci runtime error", "refused"],
])(
  "the error of a start that the container engine refuses has a reason code, and the engine's text as detail: %d %s",
  async (status, message, reason) => {
    engine.startRefusal = { status, message };
    const error = await startTarget(driver, anna).catch((refused: unknown) => refused);
    expect(error).toBeInstanceOf(EngineRefusedError);
    expect(error).toMatchObject({ reason, detail: message });
  },
);

test("the Docker driver sends no request to start or stop an unknown container", async () => {
  await expect(startTarget(driver, createTarget("gs-nobody"))).rejects.toBeInstanceOf(EngineRefusedError);
  await expect(stopTarget(driver, createTarget("gs-nobody"))).rejects.toBeInstanceOf(EngineRefusedError);
  expect(engine.calls.filter((call) => call.startsWith("POST"))).toEqual([]);
});
