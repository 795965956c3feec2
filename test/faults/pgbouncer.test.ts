import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import { createTemporaryFolder, endWithTest } from "#test/cleanup.ts";
import { freePort } from "#test/free-port.ts";
import { counters, tap } from "#test/process/load.ts";
import { createServerProcess, type ServerProcess } from "#test/process/server-process.ts";
import { ensureInstalled, pgBouncer } from "../../scripts/system-programs.ts";
import { report } from "./report.ts";

/** Longer than the interval in which a leader calls a script with `status`. */
const statusMs = 6000;

test.skipIf(!process.env["TEST_DATABASE_URL"])(
  "behind PgBouncer in transaction mode one of three instances leads, and another one soon after a kill",
  async () => {
    const one = await createServerProcess({ database: "postgres" });
    endWithTest(() => one[Symbol.asyncDispose]());
    const direct = one.env["DATABASE_URL"]!;
    const pooled = await startPgBouncer(direct);
    Object.assign(one.env, { DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct });
    one.env["APP_URL"] = `http://localhost:${one.port}`;
    const instances = [one, await startBeside(one), await startBeside(one)];
    for (const { start } of instances) await start();
    const [anna] = await one.createMembers("anna");

    // A leader calls the script, which writes down the process id of its caller.
    const callers = join(createTemporaryFolder(), "callers");
    const script = `${callers}.sh`;
    writeFileSync(script, `#!/bin/sh\necho $PPID >> ${callers}\nexit 3\n`);
    chmodSync(script, 0o755);
    await one.call("game-server", "add", "Keller", "--script", script);
    // The command has called the script, too.
    rmSync(callers);
    const readCallers = () =>
      existsSync(callers) ? [...new Set(readFileSync(callers, "utf8").trim().split("\n").map(Number))] : [];

    await expect.poll(readCallers, { timeout: 20_000 }).not.toEqual([]);
    await sleep(2 * statusMs);
    const leaders = readCallers();
    const leader = instances.find(({ pid }) => pid === leaders[0])!;
    await leader.kill();
    rmSync(callers);
    const killedAt = performance.now();
    await expect.poll(readCallers, { timeout: 20_000, interval: 20 }).not.toEqual([]);
    const nextLeaderMs = Math.round(performance.now() - killedAt);
    await sleep(2 * statusMs);
    const nextLeaders = readCallers();

    const others = instances.filter((instance) => instance !== leader);
    for (const { port } of others) expect((await tap(anna!.through(port), `tap-at-${port}`)).status).toBe(200);
    expect((await anna!.through(others[0]!.port).get(counters)).json.KSKCounterVal).toBe(2);
    const ready = await Promise.all(others.map(statusOfReadyz));

    const withoutDirect = await startBeside(one);
    delete withoutDirect.env["DATABASE_DIRECT_URL"];
    await withoutDirect.start();
    await expect.poll(() => statusOfReadyz(withoutDirect), { timeout: 30_000 }).toBe(503);
    report(
      "T115",
      {
        leaders: leaders.length,
        "leaders after the kill": nextLeaders.length,
        "next leader after, ms": nextLeaderMs,
        "/readyz": ready.join(", "),
        "/readyz without DATABASE_DIRECT_URL": 503,
      },
      "one leader, the next one ≤ 5000 ms, 200 and 503",
      "postgres",
    );
    expect([leaders.length, nextLeaders.length, ready]).toEqual([1, 1, [200, 200]]);
    expect(nextLeaders).not.toEqual(leaders);
    expect(nextLeaderMs).toBeLessThanOrEqual(5000);
  },
);

/** Creates an instance with the settings of `one` that shares its database. */
async function startBeside(one: ServerProcess): Promise<ServerProcess> {
  const { DATABASE_URL, DATABASE_DIRECT_URL, APP_URL } = one.env;
  const env = { DATABASE_URL: DATABASE_URL!, DATABASE_DIRECT_URL: DATABASE_DIRECT_URL!, APP_URL: APP_URL! };
  const other = await createServerProcess({ sharedWith: one, env });
  endWithTest(() => other[Symbol.asyncDispose]());
  return other;
}

async function statusOfReadyz(instance: ServerProcess): Promise<number> {
  return (await instance.createClient().get("/readyz")).status;
}

/** Starts PgBouncer in front of this database; returns the URL of the same database through it. */
async function startPgBouncer(databaseUrl: string): Promise<string> {
  const program = await ensureInstalled(pgBouncer);
  if (!program) throw new Error("pgbouncer is missing");
  const { hostname, port, username, pathname } = new URL(databaseUrl);
  const pooledPort = await freePort();
  const file = join(createTemporaryFolder(), "pgbouncer.ini");
  const lines = [
    "[databases]",
    `* = host=${hostname} port=${port} user=${username}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${pooledPort}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    "default_pool_size = 10",
  ];
  writeFileSync(file, lines.join("\n"));
  // PgBouncer refuses to run as root. It reads its settings before it changes the user.
  const user = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const pooler: ChildProcess = spawn(program, [...user, file], { stdio: "ignore" });
  endWithTest(async () => void pooler.kill("SIGKILL"));
  return `postgres://${username}@127.0.0.1:${pooledPort}${pathname}`;
}
