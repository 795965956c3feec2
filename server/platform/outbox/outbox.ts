import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import type { Db } from "#server/db/connect.ts";
import { afterCommit, checkTransaction } from "#server/db/transaction-scope.ts";
import type { Clock } from "#server/platform/clock.ts";
import { createBatcher } from "#server/platform/jobs/batcher.ts";
import { coalesce } from "#server/platform/jobs/coalesce.ts";
import { errorFields, type Log, outageFields } from "#server/platform/log.ts";
import { every, hours, minutes, seconds } from "#server/time.ts";
import * as store from "./store.ts";
import type { MessageKind } from "./store.ts";

export interface NewMessage {
  readonly kind: MessageKind;
  /** Messages of one kind to one receiver are sent one after another. */
  readonly receiver: string;
  /** Replaces a waiting message with the same receiver and tag. */
  readonly tag?: string | null;
  /** Stored as JSON. */
  readonly message: object;
  /** Epoch ms after which the message is not sent. */
  readonly expiresAt: number;
}

/** `uuid` is the same in all attempts, so that receivers can detect a repetition. */
export interface OutboxMessage {
  readonly uuid: string;
  readonly receiver: string;
  readonly message: unknown;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/**
 * `later`: try again, at the earliest after `waitMs`; with `isUncounted`, the attempt does not count. `obsolete`: the
 * message need not be sent any more. `answer`: data for the history.
 */
export type Attempt =
  | { readonly result: "delivered" | "dropped"; readonly answer?: object }
  | { readonly result: "obsolete" }
  | { readonly result: "later"; readonly waitMs?: number; readonly isUncounted?: true; readonly answer?: object };

export interface Sender {
  readonly kind: MessageKind;
  /** Messages that one instance sends at the same time. */
  readonly parallel: number;
  /** Time that each of these takes at least, as a limit of the rate. */
  readonly minimumMs?: number;
  /** Longer than any attempt. Another instance continues after a crash. */
  readonly claimMs: number;
  /** Milliseconds before the second, third, … attempt; the message is dropped after the last one. */
  readonly retryDelays: readonly number[];
  /** Repeats the last delay until the message expires. */
  readonly isLastDelayRepeated?: true;
  /** Adds up to a quarter to each delay, so that messages that failed together are not retried together. */
  readonly hasJitter?: true;
  /** Keeps delivered and dropped messages. */
  readonly isHistoryKept?: true;
  /** `stop` is aborted when the server stops. */
  send(message: OutboxMessage, stop: AbortSignal): Promise<Attempt>;
  /** Called after the last attempt, or because the message expired. */
  onDropped?(message: OutboxMessage, reason: "failed" | "expired"): Promise<void> | void;
}

/** If a receiver asks for a longer wait, the message is dropped. */
const longestWait = hours(1);
const pollEvery = seconds(1);
/** Longest delay and claim of all senders. */
export const longestRetryDelay = hours(4);
export const longestClaim = minutes(2);

export type Outbox = ReturnType<typeof createOutbox>;

/** The outbox lies in the database, and all instances work on it. */
export function createOutbox(parts: { db: Db; clock: Clock; log: Log; senders: readonly Sender[] }) {
  const { db, clock, log } = parts;
  const stop = new AbortController();
  const workers = new Map(parts.senders.map((sender) => [sender.kind, createWorker({ ...parts, sender, stop })]));

  return {
    /**
     * Adds messages in the transaction `tx` of their change. They are sent after the commit, at least once: again after
     * a crash of the instance that sends a message.
     */
    async add(tx: Db, messages: readonly NewMessage[]): Promise<void> {
      checkTransaction(tx);
      if (messages.length === 0) return;
      const now = clock.now();
      const rows = messages.map(({ kind, receiver, tag = null, message, expiresAt }) => ({
        ...{ uuid: randomUUID(), kind, receiver, tag, message: JSON.stringify(message) },
        ...{ created_at: now, due_at: now, expires_at: expiresAt },
      }));
      await store.createMessages(tx, rows);
      for (const kind of new Set(messages.map((message) => message.kind)))
        await afterCommit(tx, () => workers.get(kind)?.wake());
    },
    /** Resolves when no message is due. */
    sendDue: async (kind: MessageKind) => workers.get(kind)!.sendDue(),
    /** Failed attempts of this instance since its start. */
    failures: (kind: MessageKind) => workers.get(kind)!.failures(),
    /** Until the start, nothing is sent but by `sendDue`. */
    start(kinds: readonly MessageKind[] = [...workers.keys()]): void {
      for (const kind of kinds) workers.get(kind)?.start();
      const poll = async () => {
        for (const kind of await store.listDueKinds(db, clock.now())) workers.get(kind)?.wake();
      };
      const end = every(pollEvery, poll, (error) => log.warn("outbox-failed", outageFields(error)));
      stop.signal.addEventListener("abort", end, { once: true });
    },
    /** Stops sending permanently. Unsent messages remain. */
    async close(): Promise<void> {
      stop.abort();
      await Promise.all([...workers.values()].map((worker) => worker.settle()));
    },
  };
}

function createWorker(parts: { db: Db; clock: Clock; log: Log; sender: Sender; stop: AbortController }) {
  const { db, clock, log, sender, stop } = parts;
  const { kind, parallel, minimumMs = 0, claimMs } = sender;
  const running = new Set<Promise<unknown>>();
  /** Includes messages whose claim has ended because the clock has jumped. */
  const sending = new Set<number>();
  let isStarted = false;
  let failures = 0;

  /** Messages that end at the same time share a commit. */
  const remove = createBatcher({
    commit: async (ids: readonly number[]): Promise<void[]> => {
      await store.deleteMessages(db, ids);
      return [];
    },
    maxBatch: parallel,
    maxWaiting: parallel,
  });

  const startDue = coalesce(async () => {
    while (!stop.signal.aborted && running.size < parallel) {
      const limit = parallel - running.size;
      const rows = await store.claimMessages(db, { kind, now: clock.now(), claimMs, limit });
      if (rows.length === 0) return;
      for (const row of rows) {
        if (sending.has(row.id)) continue;
        sending.add(row.id);
        const pause = sleep(minimumMs, undefined, { ref: false, signal: stop.signal }).catch(() => {});
        const work = Promise.all([send(row), pause]).finally(() => {
          running.delete(work);
          wake();
        });
        running.add(work);
      }
    }
  });

  function wake(): void {
    if (isStarted && !stop.signal.aborted)
      startDue().catch((error: unknown) => log.warn("outbox-failed", outageFields(error)));
  }

  async function send(row: store.OutboxRow): Promise<void> {
    const message: OutboxMessage = {
      ...{ uuid: row.uuid, receiver: row.receiver, message: JSON.parse(row.message) },
      ...{ createdAt: row.created_at, expiresAt: row.expires_at },
    };
    try {
      if (clock.now() >= row.expires_at) {
        await sender.onDropped?.(message, "expired");
        return await finish(row, "dropped");
      }
      const attempt = await sender.send(message, stop.signal);
      // An interrupted attempt is repeated by another instance, or by this one after its next start.
      if (attempt.result === "later" && stop.signal.aborted)
        await store.updateMessage(db, row.id, { claimed_until: null });
      else if (attempt.result === "later") await retry(row, message, attempt);
      else if (attempt.result === "obsolete") await remove(row.id);
      else {
        if (attempt.result === "dropped") failures += 1;
        await finish(row, attempt.result, attempt.answer);
      }
    } catch (error) {
      // The message remains claimed, and is sent again afterwards.
      log.warn("outbox-failed", { kind, ...errorFields(error) });
    } finally {
      sending.delete(row.id);
    }
  }

  async function retry(
    row: store.OutboxRow,
    message: OutboxMessage,
    attempt: Extract<Attempt, { result: "later" }>,
  ): Promise<void> {
    failures += 1;
    const { waitMs = 0, isUncounted = false, answer } = attempt;
    const delays = sender.retryDelays;
    const last = sender.isLastDelayRepeated ? delays.at(-1) : undefined;
    const delay = isUncounted ? 0 : (delays[row.attempts] ?? last);
    if (delay === undefined || waitMs > longestWait) {
      await sender.onDropped?.(message, "failed");
      return finish(row, "dropped", answer);
    }
    const jitter = sender.hasJitter ? 1 + Math.random() / 4 : 1;
    const wait = Math.max(delay * jitter, waitMs);
    const attempts = row.attempts + (isUncounted ? 0 : 1);
    const due_at = Math.ceil(clock.now() + wait);
    await store.updateMessage(db, row.id, { due_at, claimed_until: null, attempts, ...toAnswer(answer) });
    if (wait < pollEvery) setTimeout(wake, wait + 1).unref();
  }

  async function finish({ id, attempts }: store.OutboxRow, state: "delivered" | "dropped", answer?: object) {
    if (!sender.isHistoryKept) return remove(id);
    const counted = answer ? attempts + 1 : attempts;
    return store.updateMessage(db, id, { state, claimed_until: null, attempts: counted, ...toAnswer(answer) });
  }

  return {
    wake,
    async sendDue(): Promise<void> {
      await startDue();
      while (running.size > 0) {
        await Promise.all(running);
        await startDue();
      }
    },
    failures: () => failures,
    start(): void {
      isStarted = true;
      wake();
    },
    async settle(): Promise<void> {
      // A claim under way would otherwise leave its messages claimed.
      await startDue().catch(() => {});
      await Promise.all(running);
    },
  };
}

function toAnswer(answer: object | undefined): { answer?: string } {
  return answer ? { answer: JSON.stringify(answer) } : {};
}
