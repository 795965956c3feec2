import { createServer, request as httpRequest } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { type EngineFault, type FakeEngine, createFakeEngine } from "#test/fake-engine.ts";
import { createPlayer, createServerProcess, startServerProcess } from "#test/process/server-process.ts";
import { memoryOf } from "./process-stats.ts";
import { random } from "./random.ts";
import { databases, report } from "./report.ts";

const list = "/api/game-servers";
const unreachable = "Die Game-Server-Steuerung ist gerade nicht erreichbar.";
const rounds = Number(process.env["ROUNDS"] ?? 20);
const roundMs = 45_000;
const clients = 50;
const engineMs = 2000;

/** Creates a proxy in front of an engine that counts the simultaneous starts and stops of one container. */
async function createLifecycleMonitor(engine: FakeEngine) {
  const socket = join(createTemporaryFolder(), "engine.sock");
  const upstream = engine.url.replace("unix://", "");
  let [busy, mostAtOnce, changes] = [0, 0, 0];
  const server = createServer((request, response) => {
    const isChange = request.method === "POST";
    if (isChange) mostAtOnce = Math.max(mostAtOnce, ++busy);
    if (isChange) changes += 1;
    const passed = httpRequest(
      { socketPath: upstream, method: request.method!, path: request.url!, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
        // The engine continues the change even if the instance that requested it is killed.
        answer.on("close", () => (busy -= isChange ? 1 : 0));
      },
    );
    passed.on("error", () => response.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return {
    url: `unix://${socket}`,
    counts: () => ({ busy, mostAtOnce, changes }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const timeoutOptions = { timeout: rounds * roundMs };

test.for(databases)(
  "requests of 50 clients and killed instances never lead to simultaneous changes of a container (%s)",
  timeoutOptions,
  async (db) => {
    const engine = await createFakeEngine();
    engine.create("keller");
    const guard = await createLifecycleMonitor(engine);
    await using one = await createServerProcess({ database: db, env: { ENGINE_URL: guard.url } });
    one.env["APP_URL"] = `http://localhost:${one.port}`;
    await using other = await createServerProcess({
      sharedWith: one,
      env: { APP_URL: one.env["APP_URL"], ENGINE_URL: guard.url },
    });
    const instances = db === "postgres" ? [one, other] : [one];
    await Promise.all(instances.map(async (server) => server.start()));
    const anna = await createPlayer(one, "anna");
    const members = instances.map(({ port }) => anna.through(port));
    const { id } = (await one.run("game-server", "add", "Keller", "--docker", "keller", "--json")).json;
    const path = `${list}/${id}`;
    await expect.poll(async () => (await anna.get(path)).json.state).not.toBeNull();
    engine.delayMs = engineMs;

    const answers: Record<string, number> = {};
    let slowestLock = 0;
    for (let round = 0; round < rounds; round += 1) {
      const isKilling = round % 4 === 3;
      const asked = Array.from({ length: clients }, async (_, index) => {
        await sleep(random() * engineMs * 1.5);
        const state = 1 + Math.floor(random() * 2);
        return members[index % members.length]!.post(path, { state }).then(
          ({ status, json }) => `${status} ${json?.message}`,
          () => "cut off",
        );
      });
      if (isKilling) {
        await sleep(engineMs * 0.7);
        const killed = instances[Math.floor(round / 4) % instances.length]!;
        await killed.kill();
        await killed.start();
      }
      for (const answer of await Promise.all(asked)) answers[answer] = (answers[answer] ?? 0) + 1;
      const began = performance.now();
      // A request gets 200 once the lock of the container is free, even if the request changes
      // nothing.
      const isFree = async () => (await anna.post(path, { state: 2 })).status === 200;
      await expect.poll(isFree, { timeout: 60_000, interval: 200 }).toBe(true);
      if (isKilling) slowestLock = Math.max(slowestLock, performance.now() - began);
      await expect.poll(async () => (await anna.get(path)).json.state?.Running, { timeout: 60_000 }).toBe(false);
      await expect.poll(() => engine.find("keller").status, { timeout: 10_000 }).not.toBe("running");
    }

    const { mostAtOnce, changes } = guard.counts();
    const lockSeconds = Math.round(slowestLock / 1000);
    const expected = new Set([
      "200 Keller wird gestartet.",
      "200 Keller läuft bereits.",
      "200 Keller wird heruntergefahren.",
      "200 Keller ist bereits aus.",
      "409 Der Server wird gerade umgeschaltet.",
      `503 ${unreachable}`,
      "cut off",
    ]);
    const strange = Object.keys(answers).filter((answer) => !expected.has(answer));
    report(
      "T028",
      {
        rounds,
        clients,
        changes,
        "at once": mostAtOnce,
        "slowest lock after a kill, s": lockSeconds,
        ...answers,
      },
      "at once 1, lock free within 60 s after a kill, no answer but those of the contract",
      db,
    );
    expect(strange).toEqual([]);
    expect(mostAtOnce).toBe(1);
    guard.close();
  },
);

test("a faulty container engine delays no other part of the app, and is used again once the engine has recovered", async () => {
  const engine = await createFakeEngine();
  engine.create("keller");
  await using server = await startServerProcess({ env: { ENGINE_URL: engine.url } });
  const anna = await createPlayer(server, "anna");
  const { id } = (await server.run("game-server", "add", "Keller", "--docker", "keller", "--json")).json;
  const path = `${list}/${id}`;
  const state = async () => (await anna.get(path)).json.state;
  await expect.poll(state).not.toBeNull();
  const timed = async <Result>(work: () => Promise<Result>): Promise<[Result, number]> => {
    const began = performance.now();
    return [await work(), Math.round(performance.now() - began)];
  };
  const before = memoryOf(server.pid);
  const slowest = { list: 0, post: 0, counters: 0, back: 0 };

  const faults: (EngineFault | "gone")[] = ["gone", "hang", "500", "garbage", "huge", "drip"];
  for (const fault of faults) {
    if (fault === "gone") await engine.kill();
    else engine.fault = fault;
    const posting = timed(async () => anna.post(path, { state: 1 }));
    const [answer, listMs] = await timed(async () => anna.get(list));
    expect(answer.status, fault).toBe(200);
    const [counters, countersMs] = await timed(async () => anna.get("/api/beercounter/counters"));
    expect(counters.status, fault).toBe(200);
    const [refused, postMs] = await posting;
    expect([refused.status, refused.json.message], fault).toEqual([503, unreachable]);
    await expect.poll(state, { timeout: 5000 }).toBeNull();
    if (fault === "gone") await engine.restart();
    else engine.fault = null;
    const began = performance.now();
    await expect.poll(state, { timeout: 12_000 }).not.toBeNull();
    const backMs = Math.round(performance.now() - began);
    slowest.list = Math.max(slowest.list, listMs);
    slowest.post = Math.max(slowest.post, postMs);
    slowest.counters = Math.max(slowest.counters, countersMs);
    slowest.back = Math.max(slowest.back, backMs);
  }
  expect((await anna.post(path, { state: 1 })).status).toBe(200);

  const grown = memoryOf(server.pid) - before;
  report("T044", { ...slowest, "grown by, MiB": grown }, "list ≤ 2000 ms, post ≤ 12000 ms, counters ≤ 1000 ms");
  expect(slowest.list).toBeLessThanOrEqual(2000);
  expect(slowest.post).toBeLessThanOrEqual(12_000);
  expect(slowest.counters).toBeLessThanOrEqual(1000);
});
