import type { AuditAction, AuditDetails } from "#contract/audit.ts";
import type { DataOf, Event } from "#contract/event.ts";
import type { Email } from "./mail/email-template.ts";
import type { Notification } from "./notification.ts";
import type { AccessScope } from "./realtime/bus.ts";
import type { WebhookMessage } from "./webhook-message.ts";

/**
 * Functions that tell others of a change. They write in its transaction, so it is told if and only if it is committed, also
 * if this process dies.
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
