import { spawnSync } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import pg from "pg";

import { freePort } from "#test/free-port.ts";
import { runToEnd, start, type RunOptions } from "./child-processes.ts";

export interface TestPostgres {
  /** Superuser's URL of the database `postgres`. */
  url: string;
  stop(): void;
}

/** Starts the given `postgres` binary on an empty data directory and a free port of the loopback interface. */
export async function startPostgres(binary: string): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  const data = join(folder, "data");
  const options: RunOptions = { cwd: folder, env: { LC_ALL: "C.UTF-8" }, ...(await unprivilegedUser(folder)) };
  const initdb = ["-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--no-sync"];
  const { code, output } = await runToEnd(join(dirname(binary), "initdb"), initdb, options);
  if (code !== 0) throw new Error(`initdb failed:\n${output}`);

  const port = await freePort();
  // Durability is off, because the data need not survive a power cut.
  const settings = ["fsync=off", "full_page_writes=off", "max_connections=200"].flatMap((setting) => ["-c", setting]);
  const server = start(binary, ["-D", data, "-h", "127.0.0.1", "-p", String(port), "-k", folder, ...settings], options);
  // Stops synchronously, because it must also work when an interrupted run exits.
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

/** Returns the user to run PostgreSQL as: it refuses to run as root, and Debian's package creates a user for it. */
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
