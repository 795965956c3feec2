import type { Db } from "#server/db/connect.ts";
import { afterCommit, checkTransaction } from "#server/db/transaction-scope.ts";
import { coalesce } from "#server/platform/jobs/coalesce.ts";
import type { Log } from "#server/platform/log.ts";
import { every, minutes, seconds } from "#server/time.ts";
import { type Bus, type BusMessage, createBusListeners, createInstanceId } from "./bus.ts";
import * as store from "./store.ts";
import { createWakeCalls } from "./wake-calls.ts";

/** Messages are read even if no other instance sends a wake call (NOTIFY). */
const pollInterval = seconds(1);
/** Milliseconds between two reads, so that many messages share one. */
const pollPause = 10;
/** Messages remain in the table for this long. */
const keepFor = minutes(2);
/** After this time without a read, messages may have been deleted unread. */
const gapAfter = keepFor - seconds(20);
const deleteInterval = seconds(30);

/**
 * Messages are rows of `bus_messages`, written in the transaction of the change. Every instance reads new rows each
 * second, and immediately after a wake call (NOTIFY) of another instance. `databaseUrl` is for the wake calls, which
 * must not go through a transaction pooler.
 */
export function createPostgresBus(options: { db: Db; databaseUrl: string; log: Log; wakeChannel?: string }): Bus {
  const { db, log } = options;
  const instance = createInstanceId();
  const { deliver: deliverToListeners, reportGap, ...listeners } = createBusListeners(log);
  /** The next read may return these messages again. */
  const delivered = new Map<number, { transactionId: number; done: Promise<void> }>();
  /** Oldest transaction that still ran at the last read; the messages of all earlier ones were read. */
  let horizon: number | null = null;
  let lastRead = performance.now();
  let isClosed = false;
  /** Messages of `tell` that wait for the running write. */
  const untold: BusMessage[] = [];
  const wakeCalls = createWakeCalls({ ...options, instance, onCall: () => void poll() });

  function deliver({ id, transaction_id: transactionId, ...row }: store.StoredMessage): Promise<void> {
    const isRead = horizon !== null && transactionId < horizon;
    const earlier = delivered.get(id);
    if (isRead || earlier) return earlier?.done ?? Promise.resolve();
    if (row.excludes_sender === 1 && row.instance === instance) return Promise.resolve();
    // Only this program writes the rows of `bus_messages`.
    const done = deliverToListeners(JSON.parse(row.message) as BusMessage, row.instance);
    delivered.set(id, { transactionId, done });
    return done;
  }

  async function read(): Promise<void> {
    const startedAt = performance.now();
    const { messages, horizon: newHorizon } = await store.listMessages(db, horizon);
    if (isClosed) return;
    if (startedAt - lastRead > gapAfter) reportGap();
    lastRead = startedAt;
    for (const message of messages) void deliver(message);
    horizon = newHorizon;
    for (const [id, { transactionId }] of delivered) if (transactionId < newHorizon) delivered.delete(id);
  }

  const poll = coalesce(async () => {
    if (isClosed) return;
    // The next read is at most a second later.
    await read().catch((error: unknown) => log.debug("bus-read-failed", { error: String(error) }));
    await new Promise((resolve) => setTimeout(resolve, pollPause).unref());
  });

  function write(writer: Db, messages: readonly BusMessage[], excludesSender: boolean) {
    const texts = messages.map((message) => JSON.stringify(message));
    return store.createMessages(writer, texts, { instance, excludesSender });
  }

  const tellAll = coalesce(async () => {
    const messages = untold.splice(0);
    if (messages.length === 0) return;
    try {
      await write(db, messages, true);
      wakeCalls.call();
    } catch (error) {
      log.debug("bus-write-failed", { error: String(error) });
    }
  });

  const deleteOld = (): Promise<void> => store.deleteMessages(db, keepFor);

  const ignore = (): void => {};
  const stops = [every(pollInterval, poll, ignore), every(deleteInterval, deleteOld, ignore)];
  void poll();
  deleteOld().catch(ignore);

  return {
    ...listeners,
    instance,
    reachesOthers: true,
    async send(writer, message) {
      checkTransaction(writer);
      const rows = await write(writer, [message], false);
      await afterCommit(writer, async () => {
        wakeCalls.call();
        await Promise.all(rows.map(deliver));
      });
    },
    tell: (message) => {
      untold.push(message);
      return tellAll();
    },
    isDeaf: wakeCalls.isDeaf,
    close: async () => {
      isClosed = true;
      for (const stop of stops) stop();
      await wakeCalls.close();
    },
  };
}
