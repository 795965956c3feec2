import { afterAll, beforeAll, expect, test } from "vitest";

import { createTarget, startTarget, stopTarget, watchTargets } from "#test/driver-watch.ts";
import { type TestEngine, engines } from "#test/engines.ts";
import type { EngineKind } from "#test/fake-engine.ts";
import { createDockerDriver } from "./docker.ts";
import { type Driver, EngineRefusedError, EngineUnreachableError } from "./driver.ts";

interface Engine {
  readonly name: string;
  readonly kind: EngineKind;
  readonly testEngine: TestEngine;
  readonly driver: Driver;
}

let allEngines: readonly Engine[];

beforeAll(async () => {
  allEngines = await Promise.all(
    engines.map(async ({ name, kind, open }) => {
      const testEngine = await open();
      return { name, kind, testEngine, driver: createDockerDriver({ engineUrl: testEngine.url }) };
    }),
  );
});
afterAll(() => Promise.all(allEngines.map(({ testEngine }) => testEngine.close())));

test("the Docker driver starts and stops a container, and a second start or stop changes nothing", () =>
  onEveryEngine(async ({ testEngine, driver }) => {
    await testEngine.create("gs-anna", "obedient");
    const target = createTarget("gs-anna");
    expect(await driver.inspect(target)).toMatchObject({
      isAlive: false,
      status: "created",
      exitCode: null,
      startedAt: null,
    });

    await startTarget(driver, target);
    const running = await driver.inspect(target);
    expect(running).toMatchObject({ kind: "found", isAlive: true, status: "running", exitCode: null, isReady: null });
    expect(running).toHaveProperty("startedAt", expect.closeTo(Date.now(), -4));
    await startTarget(driver, target);
    expect(await driver.inspect(target)).toEqual(running);

    await testEngine.isListening("gs-anna");
    await stopTarget(driver, target);
    expect(await driver.inspect(target)).toMatchObject({ isAlive: false, status: "exited", exitCode: 0 });
    await stopTarget(driver, target);
  }));

test("a game server's container that ignores the stop signal is killed after the grace period", () =>
  onEveryEngine(async ({ testEngine, driver }) => {
    await testEngine.create("gs-ben", "stubborn");
    const target = { ...createTarget("gs-ben"), graceSeconds: 1 };
    await startTarget(driver, target);
    const began = performance.now();
    await stopTarget(driver, target);
    expect(performance.now() - began).toBeGreaterThan(900);
    expect(await driver.inspect(target)).toMatchObject({ isAlive: false, status: "exited", exitCode: 137 });
  }));

test("the Docker driver reports the exit code of a crashed container", () =>
  onEveryEngine(async ({ testEngine, driver }) => {
    await testEngine.create("gs-carla", "crashing");
    const target = createTarget("gs-carla");
    await startTarget(driver, target);
    await expect.poll(() => driver.inspect(target)).toMatchObject({ isAlive: false, status: "exited", exitCode: 3 });
  }));

test("starting a container whose program does not exist fails without the engine's error text", () =>
  onEveryEngine(async ({ testEngine, driver }) => {
    await testEngine.create("gs-david", "missing");
    const error = await startTarget(driver, createTarget("gs-david")).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EngineRefusedError);
    expect(String(error)).not.toMatch(/nonexistent|no such file|mount|OCI/);
    expect(await driver.inspect(createTarget("gs-david"))).toMatchObject({ isAlive: false, status: "created" });
  }));

test("the Docker driver notices a change made on the engine's command line", () =>
  onEveryEngine(async ({ testEngine, driver }) => {
    await testEngine.create("gs-emil", "obedient");
    await testEngine.create("gs-frieda", "obedient");
    const { changes, end } = watchTargets(driver, ["gs-emil", "gs-frieda"]);
    await expect.poll(() => changes.splice(0)).not.toEqual([]);

    for (const [action, status] of [
      ["start", "running"],
      ["stop", "exited"],
    ] as const) {
      await testEngine.runOutside(action, "gs-frieda");
      await expect.poll(() => changes, { interval: 10 }).toContainEqual([1]);
      expect(await driver.inspect(createTarget("gs-frieda"))).toMatchObject({ status });
      changes.splice(0);
    }
    const second = watchTargets(driver, ["gs-frieda"]);
    await expect.poll(() => second.changes.splice(0)).not.toEqual([]);
    end();
    changes.splice(0);
    await testEngine.runOutside("start", "gs-frieda");
    await expect.poll(() => second.changes).toContainEqual([0]);
    second.end();
    expect(changes).toEqual([]);
  }));

test("a game server whose container is renamed is missing until a new container gets the previous name", () =>
  onEveryEngine(async ({ testEngine, driver, kind }) => {
    await testEngine.create("gs-ida", "obedient");
    const target = createTarget("gs-ida");
    await startTarget(driver, target);
    const { changes, end } = watchTargets(driver, ["gs-ida"]);
    await expect.poll(() => changes.splice(0)).not.toEqual([]);

    await testEngine.rename("gs-ida", "gs-ida-old");
    if (kind === "docker") await expect.poll(() => changes.splice(0), { interval: 10 }).toContainEqual([0]);
    expect(await driver.inspect(target)).toEqual({ kind: "missing" });

    await testEngine.create("gs-ida", "obedient");
    await expect.poll(() => changes.splice(0), { interval: 10 }).toContainEqual([0]);
    expect(await driver.inspect(target)).toMatchObject({ isAlive: false, status: "created" });
    end();
  }));

test("a paused container counts as alive, and a start request does not resume the container", () =>
  onEveryEngine(async ({ testEngine, driver, kind }) => {
    await testEngine.create("gs-greta", "obedient");
    const target = createTarget("gs-greta");
    await startTarget(driver, target);
    await testEngine.runOutside("pause", "gs-greta");
    expect(await driver.inspect(target)).toMatchObject({ isAlive: true, status: "paused" });
    await expect(startTarget(driver, target)).rejects.toBeInstanceOf(EngineRefusedError);
    expect(await driver.inspect(target)).toMatchObject({ isAlive: true, status: "paused" });

    const stopped = stopTarget(driver, target);
    if (kind === "docker") {
      await stopped;
      expect(await driver.inspect(target)).toMatchObject({ isAlive: false, status: "exited" });
    } else {
      await expect(stopped).rejects.toBeInstanceOf(EngineRefusedError);
      expect(await driver.inspect(target)).toMatchObject({ isAlive: true, status: "paused" });
    }
  }));

test("the Docker driver finds a container only by its exact name, not by its id", () =>
  onEveryEngine(async ({ testEngine, driver }) => {
    const id = await testEngine.create("gs-hannes", "obedient");
    const names = [
      id.slice(0, 8),
      id,
      "gs-hanne",
      "GS-HANNES",
      "../gs-hannes",
      "gs-hannes/json?x=",
      "gs-hannes%00",
      "",
    ];
    for (const name of names) {
      expect(await driver.inspect(createTarget(name)), name).toEqual({ kind: "missing" });
      await expect(startTarget(driver, createTarget(name)), name).rejects.toBeInstanceOf(EngineRefusedError);
      await expect(stopTarget(driver, createTarget(name)), name).rejects.toBeInstanceOf(EngineRefusedError);
    }
    expect(await driver.inspect(createTarget("gs-hannes"))).toMatchObject({ status: "created" });
  }));

test("the Docker driver notices immediately that an engine was killed or has returned", () =>
  onEveryEngine(async ({ testEngine, driver }) => {
    await testEngine.create("gs-again", "obedient");
    const target = createTarget("gs-again");
    await startTarget(driver, target);
    const { changes, end } = watchTargets(driver, ["gs-again"]);
    await expect.poll(() => changes.splice(0)).not.toEqual([]);

    await testEngine.kill();
    await expect.poll(() => changes, { interval: 10 }).not.toEqual([]);
    expect(await driver.inspect(target)).toEqual({ kind: "unreachable" });
    for (const change of [startTarget, stopTarget]) {
      await expect(change(driver, target)).rejects.toBeInstanceOf(EngineUnreachableError);
    }
    await expect.poll(() => changes.splice(0)).toEqual([]);

    await testEngine.restart();
    await expect.poll(() => changes).not.toEqual([]);
    expect(await driver.inspect(target)).toMatchObject({ isAlive: true, status: "running" });
    changes.splice(0);
    await testEngine.runOutside("stop", "gs-again");
    await expect.poll(() => changes, { interval: 10 }).not.toEqual([]);
    expect(await driver.inspect(target)).toMatchObject({ isAlive: false, status: "exited" });
    end();
  }));

/** Runs the check on all engines in parallel; the message of a failure names the engine. */
async function onEveryEngine(check: (engine: Engine) => Promise<void>): Promise<void> {
  await Promise.all(
    allEngines.map(async (engine) => {
      await check(engine).catch((error: Error) => {
        error.message = `On ${engine.name}: ${error.message}`;
        throw error;
      });
    }),
  );
}
