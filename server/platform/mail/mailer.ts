import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/connect.ts";
import type { Clock } from "#server/platform/clock.ts";
import { coalesce } from "#server/platform/coalesce.ts";
import type { Group } from "#server/platform/group.ts";
import { outageFields, type Log } from "#server/platform/log.ts";
import { every, minutes } from "#server/time.ts";
import { type Email, renderEmail } from "./email-template.ts";
import * as store from "./mail-store.ts";
import { createTransport, describeFailure, maxDeliveryMs, toFailure } from "./transport.ts";

export type Mailer = ReturnType<typeof createMailer>;

/** Delays after the first, second, … time that a mail server defers a mail, refuses its sender or does not answer to its text. */
const retryDelays = [1, 5, 15, 30].map(minutes);
const longestWaitMs = Math.max(...retryDelays);
/** The delay after a server could not be reached. */
const unreachableDelay = minutes(1);
/** How long a mail is reserved, longer than any delivery; after a kill another instance tries again when it is over. */
const claimMs = maxDeliveryMs + 10_000;
const batch = { size: 5, ms: 1000 } as const;
const pollEveryMs = 5000;

/** The outbox: mails wait in the database and are sent at five a second, so that no request waits for a mail server. */
export function createMailer(parts: { config: Config; db: Db; clock: Clock; log: Log; group: Group }) {
  const { config, db, clock, log, group } = parts;
  const deliver = createTransport(config);
  let isStarted = false;
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
    // What the stop of the server interrupts is sent after the next start.
    if (!stop.signal.aborted) log.warn("mail-failed", { failure, ...describeFailure(config, error) });
    if (failure === "refused") return store.deleteMail(db, id);
    if (failure === "unreachable") return store.postponeMail(db, id, clock.now() + unreachableDelay, refusals);
    const wait = retryDelays[Math.min(refusals, retryDelays.length - 1)]!;
    return store.postponeMail(db, id, clock.now() + wait, refusals + 1);
  }

  /** Sends everything that is due, nothing after the stop. Several instances may do so at once. */
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
    /** Sends now what was committed, instead of with the next poll. */
    wake: () => void (isStarted && run()),
    /**
     * Adds a mail to the outbox in the caller's transaction: it is sent if and only if that commits. It is not delivered
     * after `expiresAt` (epoch ms).
     */
    async queue(tx: Db, email: Email, expiresAt: number): Promise<void> {
      const { subject, text, html } = renderEmail(email, (await group.settings(tx)).group_name);
      const now = clock.now();
      const { recipient } = email;
      const mail = { id: randomUUID(), recipient, subject, text, html };
      await store.createMail(tx, { ...mail, due_at: now, refusals: 0, expires_at: expiresAt });
    },
    /** Sends from now on without being asked; returns a function that ends it. */
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
