import { type Db, inTransaction } from "#server/db/connect.ts";
import type { Actor } from "./audit/store.ts";
import * as auditStore from "./audit/store.ts";
import type { Clock } from "./clock.ts";
import type { Context } from "./context.ts";
import type { Group } from "./group.ts";
import { renderEmail } from "./mail/email-template.ts";
import { noticeLifetimeMs } from "./mail/notice.ts";
import type { Notification } from "./notification.ts";
import type { Outbox } from "./outbox/outbox.ts";
import type { Realtime } from "./realtime/realtime.ts";
import type { Say } from "./say.ts";
import type { WebhookMessage } from "./webhook-message.ts";

/** Makes a change in a transaction. `by` is `null` for the command line and for the server itself. */
export function change<Result>(
  { db, say }: Pick<Context, "db" | "say">,
  by: Actor,
  work: (tx: Db, say: Say) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, (tx) => work(tx, say(tx, by)));
}

/** Without `realtime`, on the command line, no events are sent: running servers read the changed data afterwards. */
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
      auditStore.createAuditEntry(tx, action, details, { at: clock.now(), by, memberId }),
  });
}
