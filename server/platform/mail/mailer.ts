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
 * Delays in milliseconds after the first, second, … failed attempt, if the mail server deferred the
 * mail, refused its sender, or did not confirm that it received the text. The last delay is
 * repeated.
 */
const retryDelays = [1, 5, 15, 30].map(minutes);
export const longestWaitMs = Math.max(...retryDelays);
/** Milliseconds before the next attempt if the mail server could not be reached. */
const unreachableDelay = minutes(1);
/**
 * Milliseconds for which a mail is reserved by the instance that sends it; longer than any
 * delivery. If that instance crashes, another one retries afterwards.
 */
const claimMs = maxDeliveryMs + 10_000;
const batch = { size: 5, ms: 1000 } as const;
const pollEveryMs = 5000;

/**
 * Creates the outbox of mails. They are queued in the database and sent at most five per second, so
 * that no request waits for a mail server.
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
    // Logs no failure if the stop of this server interrupted the delivery, which is repeated after
    // the next start.
    if (!stop.signal.aborted) {
      failures++;
      log.warn("mail-failed", { failure, ...describeFailure(config, error) });
    }
    if (failure === "refused") return store.deleteMail(db, id);
    if (failure === "unreachable") return store.postponeMail(db, id, clock.now() + unreachableDelay, refusals);
    const wait = retryDelays[Math.min(refusals, retryDelays.length - 1)]!;
    return store.postponeMail(db, id, clock.now() + wait, refusals + 1);
  }

  /**
   * Sends all due mails, unless the mailer is stopped. Several instances may call it at the same
   * time.
   */
  const sendDue = coalesce(async () => {
    if (stop.signal.aborted) return;
    const lost = await store.deleteExpiredMails(db, clock.now());
    if (lost > 0) log.warn("mails-expired", { mails: lost });
    while (!stop.signal.aborted) {
      const startedAt = performance.now();
      const mails = await store.listDueMails(db, clock.now(), batch.size);
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
    /**
     * Sends due mails now instead of with the next poll. Call it after the commit of queued mails.
     */
    wake: () => void (isStarted && run()),
    /**
     * Adds a mail to the outbox in the transaction `tx`, so that it is sent only after the commit.
     * The mail is not delivered after `expiresAt` (epoch ms).
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
