import { expect, test } from "vitest";

import { createDockerDriver } from "#server/features/game-servers/drivers/docker.ts";
import { EngineUnreachableError } from "#server/features/game-servers/drivers/driver.ts";
import { createFakeEngine } from "#test/fake-engine.ts";
import { createTarget, startTarget, stopTarget, watchTargets } from "../process/driver-watch.ts";

const anna = createTarget("gs-anna");

test("the Docker driver gives up a running stop and an unanswered start within 10 s when the engine hangs", async () => {
  const engine = await createFakeEngine();
  engine.create("gs-anna");
  await engine.runOutside("start", "gs-anna");
  engine.delayMs = 60_000;
  const driver = createDockerDriver({ engineUrl: engine.url });
  const began = performance.now();
  const stopping = stopTarget(driver, anna).catch((error: unknown) => error);
  await expect.poll(() => engine.calls.at(-1)).toContain("/stop");
  engine.create("gs-ben");
  const starting = startTarget(driver, createTarget("gs-ben")).catch((error: unknown) => error);
  await expect.poll(() => engine.calls.at(-1)).toContain("/start");
  engine.fault = "hang";
  expect(await stopping).toBeInstanceOf(EngineUnreachableError);
  expect(performance.now() - began).toBeLessThan(9_000);
  expect(await starting).toBeInstanceOf(EngineUnreachableError);
  expect(performance.now() - began).toBeLessThan(10_000);
});

test("the Docker driver notices that an engine hangs although its event stream is open", async () => {
  const engine = await createFakeEngine();
  engine.create("gs-anna");
  const driver = createDockerDriver({ engineUrl: engine.url });
  const { changes, end } = watchTargets(driver, ["gs-anna"]);
  await expect.poll(() => changes.splice(0)).toContain("all");
  engine.fault = "hang";
  await expect.poll(() => changes, { timeout: 14_000 }).toContain("all");
  end();
});
