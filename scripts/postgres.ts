import { spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import pg from "pg";

import { freePort } from "#test/free-port.ts";
import { runToEnd, start, type RunOptions } from "./child-processes.ts";

export interface TestPostgres {
  /** Connection URL of the superuser for the database `postgres`. */
  url: string;
  stop(): void;
}

/**
 * Starts PostgreSQL with the program `binary`, in a new data directory and on a free port of the
 * loopback interface. Without `isDurable` it is faster, because test data need not survive a power
 * cut.
 */
export async function startPostgres(binary: string, { isDurable = false } = {}): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  const data = join(folder, "data");
  const options: RunOptions = { cwd: folder, env: { LC_ALL: "C.UTF-8" }, ...(await unprivilegedUser(folder)) };
  const initdb = ["-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--no-sync"];
  const { code, output } = await runToEnd(join(dirname(binary), "initdb"), initdb, options);
  if (code !== 0) throw new Error(`initdb failed:\n${output}`);

  const port = await freePort();
  const fast = isDurable ? [] : ["fsync=off", "full_page_writes=off"];
  const settings = ["max_connections=200", ...fast].flatMap((setting) => ["-c", setting]);
  const server = start(binary, ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-k", folder, ...settings], options);
  // Synchronous, because it also runs in the `exit` event of an interrupted test run.
  function stop(): void {
    process.off("exit", stop);
    spawnSync(join(dirname(binary), "pg_ctl"), ["stop", "-w", "-m", "immediate", "-D", data], { ...options.user });
    rmSync(folder, { recursive: true, force: true });
  }
  process.on("exit", stop);

  let log = "";
  server.stderr?.on("data", (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4000)));
  server.stdout?.resume();

  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  for (let attempt = 0; !(await acceptsConnections(url)); attempt += 1) {
    if (attempt > 100 || server.exitCode !== null) throw new Error(`PostgreSQL did not start:\n${log}`);
    await sleep(100);
  }
  return { url, stop };
}

/**
 * Returns the user that runs PostgreSQL if this process is root: PostgreSQL refuses to run as root.
 * Debian's package creates the user `postgres`.
 */
async function unprivilegedUser(folder: string): Promise<Pick<RunOptions, "user">> {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map(async (option) => Number((await runToEnd("id", [option, "postgres"])).output)),
  );
  if (!uid || !gid) throw new Error("There is no user postgres to run PostgreSQL as.");
  chownSync(folder, uid, gid);
  return { user: { uid, gid } };
}

async function acceptsConnections(url: string): Promise<boolean> {
  const client = new pg.Client(url);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
