import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { freePort } from "#test/free-port.ts";
import { createServerProcess, type DatabaseKind, type ServerProcess } from "#test/process/server-process.ts";
import { startBaseline } from "./baseline.ts";
import { appKey, createPageMembers, toPageMember, type PageMember } from "./cluster-members.ts";

/** The servers that the pages connect to: instances of ours, or the baseline. */
export interface Target extends AsyncDisposable {
  readonly name: string;
  readonly isBaseline: boolean;
  /** Host and port of the public address. */
  readonly host: string;
  readonly instances: readonly Instance[];
  readonly members: readonly PageMember[];
  /** Returns the keys of all booked beers. */
  listBookedKeys(): Promise<string[]>;
}

export interface Instance {
  readonly port: number;
  readonly pid: number;
  start(): Promise<unknown>;
  /** Resolves once the process has ended. */
  end(signal: "SIGTERM" | "SIGKILL"): Promise<unknown>;
}

/** Starts `count` instances with one database that contains members, their sessions and beers. */
export async function startInstances(count: number, database: DatabaseKind, members: number): Promise<Target> {
  const max = String(2 * members + 1000);
  const env = { APP_KEY: appKey, WS_MAX_SOCKETS: max, WS_MAX_PER_IP: max, RATE_LIMIT_FACTOR: "100000" };
  const first = await createServerProcess({ database, env });
  const host = `localhost:${first.port}`;
  first.env["APP_URL"] = `http://${host}`;
  const servers = [first];
  const others = { sharedWith: first, env: { ...env, APP_URL: `http://${host}` } };
  while (servers.length < count) servers.push(await createServerProcess(others));
  const pageMembers = await createPageMembers(first, members);
  const instances = servers.map(toInstance);
  await Promise.all(instances.map(async (instance) => instance.start()));
  return {
    ...{ name: `${count} on ${database}`, isBaseline: false, host, instances, members: pageMembers },
    async listBookedKeys() {
      const beers: { key: string }[] = await first.call("beers", "export");
      return beers.map(({ key }) => key);
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers.toReversed()) await server[Symbol.asyncDispose]();
    },
  };
}

function toInstance(server: ServerProcess): Instance {
  return {
    port: server.port,
    get pid() {
      return server.pid;
    },
    start: async () => server.start(),
    async end(signal) {
      server.signal(signal);
      await server.exited();
    },
  };
}

/** Starts the baseline (baseline-server.ts) for as many pages. */
export async function startBareSockets(members: number): Promise<Target> {
  const folder = mkdtempSync(join(tmpdir(), "baseline-"));
  const port = await freePort();
  let starts = 0;
  const start = async () => startBaseline(folder, "baseline-server.ts", { port, database: `${(starts += 1)}.db` });
  let server = await start();
  const instance = {
    port,
    get pid() {
      return server.pid;
    },
    start: async () => (server = await start()),
    end: async () => server.stop(),
  };
  return {
    ...{ name: "bare ws", isBaseline: true, host: `localhost:${port}`, instances: [instance] },
    members: Array.from({ length: members }, (_, index) => toPageMember(index + 1)),
    listBookedKeys: async () => [],
    async [Symbol.asyncDispose]() {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
