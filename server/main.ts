import { setTimeout as sleep } from "node:timers/promises";

import { createApp } from "./app.ts";
import { repairAfterJumps, repairTimes } from "./clock-repair.ts";
import type { Config } from "./config.ts";
import { databaseFile, openDatabase, withDatabase } from "./db/connect.ts";
import { assertSqliteIntegrity } from "./db/sqlite-integrity.ts";
import { upgrade } from "./db/upgrade.ts";
import { waitForDatabase } from "./db/wait-for-database.ts";
import { features, tables } from "./features.ts";
import { startJobs } from "./jobs.ts";
import { OperatorError } from "./operator-error.ts";
import { systemClock } from "./platform/clock.ts";
import type { Context } from "./platform/context.ts";
import { limitConnections } from "./platform/http/connection-limit.ts";
import { releaseMemoryWhenIdle } from "./platform/http/idle-memory.ts";
import { describeLocalLinks } from "./platform/local-links.ts";
import { createLog } from "./platform/log.ts";
import { loadSecrets, withConfiguredSecrets } from "./platform/security/secrets.ts";
import { lockDataDirectory } from "./platform/storage/data-directory-lock.ts";
import { assertDatabaseNotLost } from "./platform/storage/existing-database.ts";

/** After SIGTERM, the server reports for this long that it is not ready, so that a proxy sends requests elsewhere. */
const unreadyMs = 1000;

/** Limit of the wait for requests in flight and for sockets. */
const shutdownGraceMs = 5000;

/** `reservedMs` is the last part of `shutdownGraceMs`, in which the sockets finish closing. */
const closeSpread = { longestMs: 2000, reservedMs: 2000 };

/** Limit of the whole shutdown, even if PostgreSQL does not respond. Container engines kill the process after 10 s. */
const shutdownLimitMs = 7500;

/**
 * Connections that the system accepts for us. After a start, all pages reconnect at once; the system forgets a connection
 * above this number, whose request then hangs for minutes.
 */
const waitingConnections = 4096;

/** Limit of the wait for a command that holds the lock on the data directory. */
const commandLockWaitMs = 1000;

/** Returns the exit code after SIGTERM or SIGINT. */
export async function serve(config: Config): Promise<number> {
  try {
    await serveUntilStopped(config);
    return 0;
  } finally {
    // Exits even if handles remain open, e.g. a request to a container engine that takes minutes to stop a game server.
    setTimeout(() => process.exit(), 100).unref();
  }
}

async function serveUntilStopped(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  for (const { name, meant } of config.misspeltVariables)
    log.warn("unknown-variable", { variable: name, hint: `did you mean ${meant}?` });
  const release = lockDataDirectory(config, commandLockWaitMs);
  if (!config.databaseUrl) assertSqliteIntegrity(databaseFile(config.dataDir), { isAlone: true });
  assertDatabaseNotLost(config);
  const stop = nextSignal();
  const onWait = () => log.warn("waiting-for-database");
  const hasDatabase = await waitForDatabase(() => upgradeDatabase(config), { onWait, stop });
  if (!hasDatabase) return release();
  const database = openDatabase(config, { isServing: true });
  const secrets = withConfiguredSecrets(await loadSecrets(database, config.dataDir), config);
  const stopping = new AbortController();
  await repairTimes({ db: database.db, tables, clock: systemClock, log });
  const context = await createApp({ config, database, secrets, clock: systemClock, log, stopping: stopping.signal });
  const stopRepairs = repairAfterJumps(context);
  context.outbox.start();
  const stopJobs = startJobs(context);
  limitConnections(context.http.fastify.server, log);
  releaseMemoryWhenIdle(context.http.fastify.server);

  const { host, port, listenFd } = config;
  // Fastify's type lacks `fd`, but Fastify passes it on to Node's server.listen().
  const options = { host, port, backlog: waitingConnections, ...(listenFd !== null && { fd: listenFd }) };
  await context.http.fastify.listen(options).catch((error: unknown) => {
    throw explainListenError(error, config);
  });
  for (const { onListen } of features) await onListen?.(context);
  log.info("listening", { host, port, database: database.kind });
  const localLinks = describeLocalLinks(config);
  if (localLinks !== null) log.info("links-are-local", { reason: localLinks });

  const signal = await stop;
  log.info("stopping");
  exitOnNextSignal();
  setTimeout(() => process.exit(0), shutdownLimitMs).unref();
  stopRepairs();
  const jobsStopped = stopJobs();
  stopping.abort();
  if (signal === "SIGTERM") await sleep(unreadyMs);
  await closeServer(context);
  await context.outbox.close();
  await jobsStopped;
  await context.leases.close();
  await context.bus.close();
  await database.close();
  release();
  log.info("stopped");
}

async function upgradeDatabase(config: Config): Promise<void> {
  await withDatabase(config, async (database) => {
    await upgrade(database, config.dataDir, systemClock.now());
    for (const { onUpgrade } of features) await onUpgrade?.(database, config);
  });
}

/** Returns the given error unless the operator can solve it. */
export function explainListenError(error: unknown, { host, port }: Pick<Config, "host" | "port">): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return new OperatorError(
        `PORT: another program is already listening on port ${port}. Stop it, or choose another one.`,
      );
    case "EACCES":
      return new OperatorError(`PORT: this user may not listen on port ${port}. Choose one above 1023.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new OperatorError(`HOST: this machine does not have the address ${host}.`);
    default:
      return error;
  }
}

/**
 * Waits for requests in flight, then closes the sockets, whose pages reconnect. With other instances, the closing is
 * spread, so that the reconnecting pages do not flood them.
 */
async function closeServer({ http, realtime, leases }: Context): Promise<void> {
  const began = performance.now();
  const deadline = new Promise<void>((resolve) => setTimeout(resolve, shutdownGraceMs).unref());
  // Refuses new sockets from now on.
  void realtime.drain();
  const closed = http.fastify.close();
  await Promise.race([http.whenIdle(), deadline]);
  const leftMs = shutdownGraceMs - closeSpread.reservedMs - (performance.now() - began);
  const spread = leases.countInstances() > 1 ? Math.max(0, Math.min(closeSpread.longestMs, leftMs)) : 0;
  await Promise.race([realtime.close(spread), deadline]);
  http.fastify.server.closeAllConnections();
  await Promise.race([closed, deadline]);
}

/** A second signal within this time is ignored: Ctrl-C under npm sends two, from the terminal and from npm. */
const duplicateSignalMs = 300;

function exitOnNextSignal(): void {
  const ignore = (): void => {};
  process.on("SIGINT", ignore).on("SIGTERM", ignore);
  setTimeout(() => void nextSignal().then(() => process.exit(0)), duplicateSignalMs).unref();
}

function nextSignal(): Promise<"SIGTERM" | "SIGINT"> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve("SIGTERM"));
    process.once("SIGINT", () => resolve("SIGINT"));
  });
}
