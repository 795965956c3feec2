import type { AuditAction, AuditDetails } from "#contract/audit.ts";
import type { DataOf, Event } from "#contract/event.ts";
import { type Db, inTransaction } from "#server/db/connect.ts";
import { type Actor, createAuditEntry } from "./audit/store.ts";
import type { Clock } from "./clock.ts";
import type { Context } from "./context.ts";
import type { Group } from "./group.ts";
import { type Email, renderEmail } from "./mail/email-template.ts";
import { noticeLifetimeMs } from "./mail/notice.ts";
import type { Notification } from "./notification.ts";
import type { Outbox } from "./outbox/outbox.ts";
import type { AccessScope } from "./realtime/bus.ts";
import type { Realtime } from "./realtime/realtime.ts";
import type { WebhookMessage } from "./webhook-message.ts";

/**
 * What follows from a change. All of it is written in the transaction of the change, so it happens if and only if the
 * change is committed, also if this process dies.
 */
export interface Say {
  /** Sends an event to all open pages that may see it, or only to the pages of the member `to`. */
  event<E extends Event>(event: E, data: DataOf<E>, to?: number): Promise<void>;
  /** Ends subscriptions and sockets of a member that are not allowed any more, at the latest when `change` resolves. */
  access(scope: AccessScope): Promise<void>;
  /** Pushes to the members who want these notifications. */
  push(...notifications: readonly Notification[]): Promise<void>;
  /** Sends a message to the webhooks that want it. */
  webhook(message: WebhookMessage): Promise<void>;
  /** Sends a mail, until `expiresAt` (epoch ms), by default within a day. */
  mail(email: Email, expiresAt?: number): Promise<void>;
  /** Adds an entry to the audit log, by the actor of the change. */
  audit<Action extends AuditAction>(
    action: Action,
    details: AuditDetails[Action],
    memberId?: number | null,
  ): Promise<void>;
}

/**
 * Makes a change in a transaction. `by`: the member who makes it; `null` for the command line and for the server itself.
 */
export function change<Result>(
  { db, say }: Pick<Context, "db" | "say">,
  by: Actor,
  work: (tx: Db, say: Say) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, (tx) => work(tx, say(tx, by)));
}

/**
 * Creates the `say` of the context. Without `realtime`, on the command line, it sends no events: running servers notice
 * the change by themselves.
 */
export function createSay(parts: {
  clock: Clock;
  outbox: Outbox;
  group: Pick<Group, "settings">;
  realtime: Pick<Realtime, "publish" | "accessChanged"> | null;
  notify: (tx: Db, notifications: readonly Notification[]) => Promise<void>;
  sendWebhooks: (tx: Db, message: WebhookMessage) => Promise<void>;
}): Context["say"] {
  const { clock, outbox, group, realtime } = parts;
  return (tx, by) => ({
    event: async ({ name, channel }, data, to) =>
      realtime?.publish(tx, name, to === undefined ? channel : `${channel}${to}`, data as object),
    access: async (scope) => realtime?.accessChanged(tx, scope),
    push: (...notifications) => parts.notify(tx, notifications),
    webhook: (message) => parts.sendWebhooks(tx, message),
    mail: async (email, expiresAt = clock.now() + noticeLifetimeMs) => {
      const { recipient: receiver } = email;
      const { group_name } = await group.settings(tx);
      const message = { recipient: receiver, ...renderEmail(email, group_name) };
      await outbox.add(tx, [{ kind: "mail", receiver, message, expiresAt }]);
    },
    audit: (action, details, memberId = null) =>
      createAuditEntry(tx, action, details, { at: clock.now(), by, memberId }),
  });
}
