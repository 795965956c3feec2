import { setTimeout as sleep } from "node:timers/promises";

import { afterAll, beforeAll, expect, test } from "vitest";

import { dockerDriver } from "#server/features/game-servers/drivers/docker.ts";
import {
  type Driver,
  EngineRefusedError,
  EngineUnreachableError,
} from "#server/features/game-servers/drivers/driver.ts";
import type { EngineKind } from "#test/fake-engine.ts";
import { type EngineHouse, engines } from "./engines.ts";
import { server, watch } from "./watch.ts";

interface Place {
  readonly name: string;
  readonly kind: EngineKind;
  readonly house: EngineHouse;
  readonly driver: Driver;
}

let places: readonly Place[];

beforeAll(async () => {
  places = await Promise.all(
    engines.map(async ({ name, kind, open }) => {
      const house = await open();
      return { name, kind, house, driver: dockerDriver({ engineUrl: house.url }) };
    }),
  );
});
afterAll(() => Promise.all(places.map(({ house }) => house.close())));

test("a server starts and stops, and asking twice is fine", () =>
  everywhere(async ({ house, driver }) => {
    await house.create("gs-anna", "obedient");
    const target = server("gs-anna");
    expect(await driver.inspect(target)).toMatchObject({
      isAlive: false,
      word: "created",
      exitCode: null,
      startedAt: null,
    });

    await driver.start(target);
    const running = await driver.inspect(target);
    expect(running).toMatchObject({ kind: "found", isAlive: true, word: "running", exitCode: null, isReady: null });
    expect(running).toHaveProperty("startedAt", expect.closeTo(Date.now(), -4));
    await driver.start(target);
    expect(await driver.inspect(target)).toEqual(running);

    await driver.stop(target);
    expect(await driver.inspect(target)).toMatchObject({ isAlive: false, word: "exited", exitCode: 0 });
    await driver.stop(target);
  }));

test("a program that ignores the request to end is ended when its grace is over", () =>
  everywhere(async ({ house, driver }) => {
    await house.create("gs-ben", "stubborn");
    const target = { ...server("gs-ben"), graceSeconds: 1 };
    await driver.start(target);
    const began = performance.now();
    await driver.stop(target);
    expect(performance.now() - began).toBeGreaterThan(900);
    expect(await driver.inspect(target)).toMatchObject({ isAlive: false, word: "exited", exitCode: 137 });
  }));

test("a crash shows its exit code", () =>
  everywhere(async ({ house, driver }) => {
    await house.create("gs-carla", "crashing");
    const target = server("gs-carla");
    await driver.start(target);
    await expect.poll(() => driver.inspect(target)).toMatchObject({ isAlive: false, word: "exited", exitCode: 3 });
  }));

test("a program that does not exist cannot be started, and the engine's words stay with the engine", () =>
  everywhere(async ({ house, driver }) => {
    await house.create("gs-david", "missing");
    const error = await driver.start(server("gs-david")).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(EngineRefusedError);
    expect(String(error)).not.toMatch(/nonexistent|no such file|mount|OCI/);
    expect(await driver.inspect(server("gs-david"))).toMatchObject({ isAlive: false, word: "created" });
  }));

test("what somebody does on the command line is noticed", () =>
  everywhere(async ({ house, driver }) => {
    await house.create("gs-emil", "obedient");
    await house.create("gs-frieda", "obedient");
    const { heard, end } = watch(driver, ["gs-emil", "gs-frieda"]);
    await expect.poll(() => heard.splice(0)).not.toEqual([]);

    for (const [action, word] of [
      ["start", "running"],
      ["stop", "exited"],
    ] as const) {
      await house.outside(action, "gs-frieda");
      await expect.poll(() => heard, { timeout: 2000, interval: 10 }).toContainEqual([1]);
      expect(await driver.inspect(server("gs-frieda"))).toMatchObject({ word });
      heard.splice(0);
    }
    await sleep(300);
    end();
    heard.splice(0);
    await house.outside("start", "gs-frieda");
    await sleep(300);
    expect(heard.splice(0)).toEqual([]);
  }));

test("a paused server is alive; whoever paused it resumes it", () =>
  everywhere(async ({ house, driver, kind }) => {
    await house.create("gs-greta", "obedient");
    const target = server("gs-greta");
    await driver.start(target);
    await house.outside("pause", "gs-greta");
    expect(await driver.inspect(target)).toMatchObject({ isAlive: true, word: "paused" });
    await expect(driver.start(target)).rejects.toBeInstanceOf(EngineRefusedError);
    expect(await driver.inspect(target)).toMatchObject({ isAlive: true, word: "paused" });

    const stopped = driver.stop(target);
    if (kind === "docker") {
      await stopped;
      expect(await driver.inspect(target)).toMatchObject({ isAlive: false, word: "exited" });
    } else {
      await expect(stopped).rejects.toBeInstanceOf(EngineRefusedError);
      expect(await driver.inspect(target)).toMatchObject({ isAlive: true, word: "paused" });
    }
  }));

test("the beginning of an id, and any other name that is none, finds no server and starts none", () =>
  everywhere(async ({ house, driver }) => {
    const id = await house.create("gs-hannes", "obedient");
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
      expect(await driver.inspect(server(name)), name).toEqual({ kind: "missing" });
      await expect(driver.start(server(name)), name).rejects.toBeInstanceOf(EngineRefusedError);
      await expect(driver.stop(server(name)), name).rejects.toBeInstanceOf(EngineRefusedError);
    }
    expect(await driver.inspect(server("gs-hannes"))).toMatchObject({ word: "created" });
  }));

test("a killed engine is noticed at once, and so is its return", () =>
  everywhere(async ({ house, driver }) => {
    await house.create("gs-again", "obedient");
    const target = server("gs-again");
    await driver.start(target);
    const { heard, end } = watch(driver, ["gs-again"]);
    await expect.poll(() => heard.splice(0)).not.toEqual([]);

    await house.kill();
    await expect.poll(() => heard, { timeout: 2000, interval: 10 }).not.toEqual([]);
    expect(await driver.inspect(target)).toEqual({ kind: "unreachable" });
    for (const action of ["start", "stop"] as const) {
      await expect(driver[action](target)).rejects.toBeInstanceOf(EngineUnreachableError);
    }
    await sleep(100);
    heard.splice(0);

    await house.revive();
    await expect.poll(() => heard, { timeout: 3000 }).not.toEqual([]);
    expect(await driver.inspect(target)).toMatchObject({ isAlive: true, word: "running" });
    heard.splice(0);
    await house.outside("stop", "gs-again");
    await expect.poll(() => heard, { timeout: 2000, interval: 10 }).not.toEqual([]);
    expect(await driver.inspect(target)).toMatchObject({ isAlive: false, word: "exited" });
    end();
  }));

/** The same on every kind of engine at the same time; a failure says on which. */
async function everywhere(check: (place: Place) => Promise<void>): Promise<void> {
  await Promise.all(
    places.map(async (place) => {
      await check(place).catch((error: Error) => {
        error.message = `On ${place.name}: ${error.message}`;
        throw error;
      });
    }),
  );
}
