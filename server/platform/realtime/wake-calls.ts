import { setTimeout as sleep } from "node:timers/promises";

import type { Client } from "pg";

import type { Db } from "#server/db/connect.ts";
import { loadPg } from "#server/db/load-pg.ts";
import { coalesce } from "#server/platform/jobs/coalesce.ts";
import type { Log } from "#server/platform/log.ts";
import { every, minutes, seconds } from "#server/time.ts";
import * as store from "./store.ts";

const defaultChannel = "stammtisch_messages";
/** Interval at which an instance checks that it still hears its own calls. */
const testInterval = minutes(1);
const answerTime = seconds(5);
const slowestReconnect = seconds(5);
/** Without a connection for this long, the instance counts as deaf. */
const deafAfter = seconds(30);

export interface WakeCalls {
  /** Makes the other instances read new messages now. If the call is lost, they read at most a second later. */
  call(): void;
  /** `true` if this instance misses its own calls, e.g. behind a pooler, or had no connection for 30 seconds. */
  isDeaf(): boolean;
  close(): Promise<void>;
}

/** Uses LISTEN and NOTIFY on a separate connection. `onCall` runs for calls of others, and after every reconnect. */
export function createWakeCalls(options: {
  db: Db;
  databaseUrl: string;
  log: Log;
  instance: string;
  onCall: () => void;
  wakeChannel?: string;
}): WakeCalls {
  const { log, instance, onCall, wakeChannel = defaultChannel } = options;
  const pg = loadPg();
  const lost = new WeakSet<Client>();
  let client: Client | null = null;
  let isClosed = false;
  let failures = 0;
  let reconnect: NodeJS.Timeout | undefined;
  let lostAt = performance.now();
  let hasMissedOwnCall = false;
  let onOwnTest: (() => void) | null = null;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: options.databaseUrl,
      application_name: "stammtisch bus",
      keepAlive: true,
      connectionTimeoutMillis: answerTime,
      query_timeout: answerTime,
    });
    const onConnectionLost = (error?: Error): void => handleLoss(next, error);
    next.on("error", onConnectionLost);
    next.on("end", () => onConnectionLost());
    next.on("notification", ({ payload }) => {
      if (payload === `test ${instance}`) onOwnTest?.();
      else if (payload !== instance) onCall();
    });
    try {
      await next.connect();
      await next.query(`listen ${pg.escapeIdentifier(wakeChannel)}`);
    } catch (error) {
      return handleLoss(next, error);
    }
    if (isClosed) return void next.end();
    client = next;
    failures = 0;
    onCall();
    // The test is repeated every minute.
    await testHearing().catch(() => {});
  }

  function handleLoss(which: Client, error: unknown): void {
    if (lost.has(which)) return;
    lost.add(which);
    if (client === which) {
      client = null;
      lostAt = performance.now();
    }
    which.end().catch(() => {});
    if (isClosed) return;
    log.warn("bus-connection-lost", { error: String(error) });
    failures += 1;
    const pause = Math.min(slowestReconnect, 50 * 2 ** failures) * (0.5 + Math.random());
    reconnect = setTimeout(() => void connect(), pause);
  }

  async function notify(payload: string): Promise<void> {
    const sender = client;
    await sender
      ?.query("select pg_notify($1, $2)", [wakeChannel, payload])
      .catch((error: unknown) => handleLoss(sender, error));
  }

  /**
   * Uses another connection, because a pooler can deliver a call to the connection that sent it. Connects again if this
   * instance does not hear the call.
   */
  async function testHearing(): Promise<void> {
    const tested = client;
    if (!tested) return;
    const heard = new Promise<true>((resolve) => (onOwnTest = () => resolve(true)));
    await store.notifyChannel(options.db, wakeChannel, `test ${instance}`);
    const hasHeard = await Promise.race([heard, sleep(answerTime, false, { ref: false })]);
    onOwnTest = null;
    if (isClosed || client !== tested) return;
    if (!hasHeard && !hasMissedOwnCall)
      log.error("bus-deaf", {
        error: "PostgreSQL's notifications do not arrive. Behind a pooler, set DATABASE_DIRECT_URL.",
      });
    hasMissedOwnCall = !hasHeard;
    if (!hasHeard) handleLoss(tested, new Error("it does not hear its own call"));
  }

  // Calls have no content, so those during a call are merged into one.
  const callOthers = coalesce(() => notify(instance));
  const stopTests = every(testInterval, testHearing, () => {});
  void connect();

  return {
    call: () => void callOthers(),
    isDeaf: () => hasMissedOwnCall || (client === null && performance.now() - lostAt > deafAfter),
    close: async () => {
      isClosed = true;
      stopTests();
      clearTimeout(reconnect);
      await callOthers();
      await client?.end().catch(() => {});
    },
  };
}
