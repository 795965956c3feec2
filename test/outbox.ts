import { inTransaction } from "#server/db/connect.ts";
import type { Clock } from "#server/platform/clock.ts";
import {
  type Attempt,
  createOutbox,
  type NewMessage,
  type OutboxMessage,
  type Sender,
} from "#server/platform/outbox/outbox.ts";
import { hours, minutes, seconds } from "#server/time.ts";
import { endWithTest } from "./cleanup.ts";
import type { TestApp } from "./test-app.ts";

export const delivered: Attempt = { result: "delivered" };
export const later: Attempt = { result: "later" };

/** Milliseconds for which the outboxes of `openOutbox` claim a message. */
export const claimMs = minutes(1);

type Send = (receiver: string, message: OutboxMessage, stop: AbortSignal) => Promise<Attempt>;

/** An outbox on the database of an app, like that of another instance. */

/** Opens an outbox with one sender, of mails unless `options` says otherwise; it is closed after the test. */
export function openOutbox(app: TestApp, send: Send, options: Partial<Sender> = {}, clock: Clock = app.clock) {
  const dropped: string[] = [];
  const warnings: object[] = [];
  const ignore = (): void => {};
  const log = {
    ...{ debug: ignore, info: ignore, error: ignore },
    warn: (event: string, fields = {}) => void warnings.push({ event, ...fields }),
  };
  const sender: Sender = {
    kind: "mail",
    parallel: 20,
    claimMs,
    retryDelays: [seconds(2), seconds(10), minutes(1)],
    onDropped: ({ receiver }, reason) => void dropped.push(`${receiver} ${reason}`),
    ...options,
    send: (message, stop) => send(message.receiver, message, stop),
  };
  const { db } = app;
  const outbox = createOutbox({ db, clock, log, senders: [sender] });
  endWithTest(outbox.close);
  return {
    ...outbox,
    /** Adds messages of a change that is committed. */
    addAll: (...messages: readonly NewMessage[]) => inTransaction(db, (tx) => outbox.add(tx, messages)),
    sendDue: () => outbox.sendDue(sender.kind),
    failures: () => outbox.failures(sender.kind),
    /** The receivers and reasons of the dropped messages. */
    dropped,
    warnings,
  };
}

/** Opens an outbox that delivers every message, and notes the receivers. */
export function openDelivering(app: TestApp, options: Partial<Sender> = {}) {
  const sent: string[] = [];
  const send = async (receiver: string) => {
    sent.push(receiver);
    return delivered;
  };
  return { ...openOutbox(app, send, options), sent };
}

export function messageTo({ clock }: TestApp, receiver: string, changes: Partial<NewMessage> = {}): NewMessage {
  return { kind: "mail", receiver, message: {}, expiresAt: clock.now() + hours(3), ...changes };
}

/** Lets `ms` of all claims pass, also by PostgreSQL's clock, which tests cannot move. */
export async function passClaims({ db }: TestApp, ms: number): Promise<void> {
  await db
    .updateTable("outbox")
    .set(({ eb }) => ({ claimed_until: eb("claimed_until", "-", ms) }))
    .execute();
}

/** Returns all messages, in the order in which they were added. */
export const listMessages = ({ db }: TestApp) => db.selectFrom("outbox").selectAll().orderBy("id").execute();
