import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { days } from "#server/time.ts";
import { createTemporaryFolder } from "#test/cleanup.ts";
import { startServerProcess } from "./server-process.ts";

const execute = promisify(execFile);

test("the server answers all requests while the reader of its log reads nothing, and after the reader went away", async () => {
  const pidFile = join(createTemporaryFolder(), "reader.pid");
  const shell = `exec "$@" 2> >(echo $BASHPID > ${pidFile}; exec sleep 600 > /dev/null 2>&1)`;
  await using server = await startServerProcess({
    wrapper: ["bash", "-c", shell, "bash"],
    env: { LOG_LEVEL: "debug" },
  });
  const client = server.createClient();
  async function ask(count: number): Promise<void> {
    const answers = await Promise.all(Array.from({ length: count }, () => client.get("/api/config")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  }
  // 500 requests fill the pipe of the log: a pipe holds 64 KiB, and a log line has about 200 bytes.
  for (let round = 0; round < 25; round += 1) await ask(20);
  process.kill(Number(readFileSync(pidFile, "utf8")));
  for (let round = 0; round < 2; round += 1) await ask(20);
  const ended = server.exited();
  server.signal("SIGTERM");
  expect(await ended).toMatchObject({ code: 0 });
});

test("a command ends without an error when the program that reads its output stops early", async () => {
  const line = "set -o pipefail; bin/stammtisch openapi | head -c 1";
  const { stdout, stderr } = await execute("bash", ["-c", line], { cwd: join(import.meta.dirname, "../..") });
  expect([stdout, stderr]).toEqual(["{", ""]);
});

test("a start replaces stored times from the future before it serves requests, and logs them", async () => {
  await using server = await startServerProcess();
  await server.kill();
  const database = server.openDatabase();
  await database.db
    .updateTable("invitations")
    .set({ expires_at: Date.now() + days(400) })
    .execute();
  await database.close();
  await server.start();
  const repaired = { level: "warn", table: "invitations", column: "expires_at", rows: 1 };
  await expect
    .poll(() => server.output.errors.split("\n").filter((line) => line.includes("times-from-the-future")))
    .toEqual([expect.stringContaining('"rows":1')]);
  const line = server.output.errors.split("\n").find((one) => one.includes("times-from-the-future"))!;
  expect(JSON.parse(line)).toMatchObject(repaired);
});
