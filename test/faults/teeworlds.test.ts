import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createCommandDriver } from "#server/features/game-servers/drivers/command.ts";
import { createTemporaryFolder, endWithTest } from "#test/cleanup.ts";
import { createTarget, startTarget, stopTarget } from "#test/driver-watch.ts";
import { freePort } from "#test/free-port.ts";

const program = process.env["TEEWORLDS"];

test.runIf(program)("a real game server (Teeworlds) starts, outlives the end of the app, and stops", async () => {
  const dataDir = createTemporaryFolder();
  const driver = createCommandDriver({ dataDir });
  const settings = `sv_name Stammtisch;sv_port ${await freePort()};bindaddr 127.0.0.1;sv_register 0`;
  const game = createTarget(JSON.stringify({ argv: [program, settings], cwd: dataDir, stopSignal: null }));
  endWithTest(() => stopTarget(driver, { ...game, graceSeconds: 0 }));
  await startTarget(driver, game);
  const log = join(dataDir, "game-servers/0.log");
  await expect.poll(() => readFileSync(log, "utf8")).toContain("server name is 'Stammtisch'");
  const next = createCommandDriver({ dataDir });
  expect(await next.inspect(game)).toMatchObject({ isAlive: true, status: "running" });
  await stopTarget(next, game);
  await expect.poll(() => driver.inspect(game)).toMatchObject({ isAlive: false, status: "exited", exitCode: 143 });
});
