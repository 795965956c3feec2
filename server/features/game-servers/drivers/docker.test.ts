// Tests with container engines that hang.
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";

import { expect, test, vi } from "vitest";

import { seconds } from "#server/time.ts";
import { createTemporaryFolder, endWithTest } from "#test/cleanup.ts";
import { createTarget, watchTargets } from "#test/driver-watch.ts";
import { createFakeEngine } from "#test/fake-engine.ts";
import { createDockerDriver } from "./docker.ts";
import { EngineUnreachableError, found } from "./driver.ts";

/** Starts an engine that answers the first ping at once. The test answers later pings and stops itself. */
async function createSlowEngine() {
  const pings: ServerResponse[] = [];
  const stops: ServerResponse[] = [];
  const socket = join(createTemporaryFolder(), "engine.sock");
  const server = createServer(({ method, url }, response) => {
    if (method === "POST") stops.push(response);
    else if (url === "/_ping" && pings.push(response) > 1) return;
    else response.end("{}");
  }).listen(socket);
  await once(server, "listening");
  endWithTest(async () => server.closeAllConnections());
  return { pings, stops, driver: createDockerDriver({ engineUrl: `unix://${socket}` }) };
}

test("the Docker driver pings the container engine only while a stop runs", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  const { pings, stops, driver } = await createSlowEngine();
  const target = createTarget("keller");
  const stopped = driver.stop(target, found({ isAlive: true, status: "running" }));
  await expect.poll(() => stops.length).toBe(1);
  vi.advanceTimersByTime(3000);
  await expect.poll(() => pings.length).toBe(2);
  stops[0]!.writeHead(204).end();
  await stopped;
  pings[1]!.end();
  // Waits for a later answer, after which the driver has also received the answer to the ping.
  await driver.inspect(target);
  vi.advanceTimersByTime(60_000);
  await driver.inspect(target);
  expect(pings).toHaveLength(2);
});

test("the Docker driver gives up a stop after two unanswered pings in a row, but not after one", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const { pings, stops, driver } = await createSlowEngine();
  const target = createTarget("keller");
  const stopped = driver.stop(target, found({ isAlive: true, status: "running" }));
  const outcome = stopped.catch((error: unknown) => error);
  await expect.poll(() => stops.length).toBe(1);
  /** Resolves to the next ping, which the driver sends three seconds after the last answer. */
  async function nextPing(): Promise<ServerResponse> {
    const { length } = pings;
    await expect.poll(() => (vi.advanceTimersByTime(3000), pings.length)).toBeGreaterThan(length);
    return pings[length]!;
  }
  (await nextPing()).destroy();
  (await nextPing()).end();
  (await nextPing()).destroy();
  (await nextPing()).destroy();
  expect(await outcome).toBeInstanceOf(EngineUnreachableError);
});

test("the Docker driver gives up a running stop and an unanswered start within 10 s when the engine hangs", async () => {
  const { stops: changes, driver } = await createSlowEngine();
  const target = createTarget("keller");
  useFakeTimeouts();
  const outcomes: unknown[] = [];
  const note = (outcome: unknown) => void outcomes.push(outcome);
  void driver.stop(target, found({ isAlive: true, status: "running" })).then(note, note);
  await expect.poll(() => changes.length).toBe(1);
  void driver.start(target, found({ isAlive: false, status: "created" })).then(note, note);
  await expect.poll(() => changes.length).toBe(2);
  await vi.advanceTimersByTimeAsync(seconds(10));
  await expect.poll(() => outcomes).toEqual([expect.any(EngineUnreachableError), expect.any(EngineUnreachableError)]);
});

test("the Docker driver notices within 14 s that an engine hangs although its event stream is open", async () => {
  const engine = await createFakeEngine();
  const driver = createDockerDriver({ engineUrl: engine.url });
  useFakeTimeouts();
  const { changes, end } = watchTargets(driver, ["gs-anna"]);
  await expect.poll(() => changes.splice(0)).toContain("all");
  engine.fault = "hang";
  await vi.advanceTimersByTimeAsync(seconds(14));
  await expect.poll(() => changes).toContain("all");
  end();
});

/** Lets only the test advance timers and the timeouts of requests. */
function useFakeTimeouts(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const timeout = new AbortController();
    setTimeout(() => timeout.abort(new DOMException("The operation timed out.", "TimeoutError")), ms);
    return timeout.signal;
  });
}
