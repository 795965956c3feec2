import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connect.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Group } from "#server/platform/group.ts";
import { coalesce } from "#server/platform/jobs/coalesce.ts";
import { outageFields, type Log } from "#server/platform/log.ts";
import { every, minutes } from "#server/time.ts";
import { type Email, renderEmail } from "./email-template.ts";
import * as store from "./mail-store.ts";
import { createTransport, describeFailure, maxDeliveryMs, toFailure } from "./transport.ts";

export type Mailer = ReturnType<typeof createMailer>;

/**
 * Milliseconds after the first, second, … time that a mail server defers a mail, refuses its sender or does not answer to its
 * text.
 */
const retryDelays = [1, 5, 15, 30].map(minutes);
const longestWaitMs = Math.max(...retryDelays);
/** Milliseconds before the next attempt if the server could not be reached. */
const unreachableDelay = minutes(1);
/** Milliseconds that a mail is reserved, longer than any delivery. After a crash another instance retries once they are over. */
const claimMs = maxDeliveryMs + 10_000;
const batch = { size: 5, ms: 1000 } as const;
const pollEveryMs = 5000;

/**
 * Creates the outbox: mails are queued in the database and sent at five per second, so that no request waits for a mail server.
 */
export function createMailer(parts: { config: Config; db: Db; clock: Clock; log: Log; group: Group }) {
  const { config, db, clock, log, group } = parts;
  const deliver = createTransport(config);
  let isStarted = false;
  let failures = 0;
  const stop = new AbortController();

  async function send(mail: store.QueuedMail): Promise<void> {
    if (!(await store.claimMail(db, mail, clock.now() + claimMs))) return;
    try {
      const { group_name: sender } = await group.settings();
      await deliver({ ...mail, sender }, new Date(clock.now()), stop.signal);
      await store.deleteMail(db, mail.id);
      log.info("mail-sent");
    } catch (error) {
      await fail(mail, error);
    }
  }

  async function fail({ id, refusals }: store.QueuedMail, error: unknown): Promise<void> {
    const failure = toFailure(error);
    // A delivery that the server's stop interrupts is repeated after the next start.
    if (!stop.signal.aborted) {
      failures++;
      log.warn("mail-failed", { failure, ...describeFailure(config, error) });
    }
    if (failure === "refused") return store.deleteMail(db, id);
    if (failure === "unreachable") return store.postponeMail(db, id, clock.now() + unreachableDelay, refusals);
    const wait = retryDelays[Math.min(refusals, retryDelays.length - 1)]!;
    return store.postponeMail(db, id, clock.now() + wait, refusals + 1);
  }

  /** Sends all due mails until the stop. Several instances may run this at once. */
  const sendDue = coalesce(async () => {
    if (stop.signal.aborted) return;
    const lost = await store.deleteExpiredMails(db, clock.now());
    if (lost > 0) log.warn("mails-expired", { mails: lost });
    while (!stop.signal.aborted) {
      const startedAt = performance.now();
      const mails = await store.listDueMails(db, clock.now(), longestWaitMs, batch.size);
      if (mails.length === 0) return;
      await Promise.all(mails.map(send));
      const left = batch.ms / config.rateLimitFactor - (performance.now() - startedAt);
      if (mails.length === batch.size && left > 0) await sleep(left, null, { ref: false });
    }
  });

  const onError = (error: unknown) => log.warn("outbox-failed", outageFields(error));
  const run = () => sendDue().catch(onError);

  return {
    sendDue,
    /** Returns the number of failed attempts of this instance since its start. */
    failures: () => failures,
    /** Sends committed mails now instead of with the next poll. */
    wake: () => void (isStarted && run()),
    /**
     * Adds a mail to the outbox in the caller's transaction, so that it is sent only if that commits. It is not delivered after
     * `expiresAt` (epoch ms).
     */
    async queue(tx: Db, email: Email, expiresAt: number): Promise<void> {
      const { subject, text, html } = renderEmail(email, (await group.settings(tx)).group_name);
      const now = clock.now();
      const { recipient } = email;
      const mail = { id: randomUUID(), recipient, subject, text, html };
      await store.createMail(tx, { ...mail, due_at: now, refusals: 0, expires_at: expiresAt });
    },
    /** Starts the periodic sending; returns a function that ends it. */
    start(): () => void {
      isStarted = true;
      const stopPolling = every(pollEveryMs, run, onError);
      void run();
      return () => {
        stopPolling();
        stop.abort();
      };
    },
  };
}
