import type { AuditAction, AuditDetails } from "#contract/audit.ts";
import type { DataOf, Event } from "#contract/event.ts";
import type { Email } from "./mail/email-template.ts";
import type { Notification } from "./notification.ts";
import type { AccessScope } from "./realtime/bus.ts";
import type { WebhookMessage } from "./webhook-message.ts";

/** Tells others of a change, in its transaction: if and only if it is committed, also if this process dies. */
export interface Say {
  /** Reaches all open pages that may see the event, or only those of the member `to`. */
  event<E extends Event>(event: E, data: DataOf<E>, to?: number): Promise<void>;
  /** Ends subscriptions and sockets of a member that are not allowed any more, at the latest when `change` resolves. */
  access(scope: AccessScope): Promise<void>;
  /** Reaches the members who want these notifications. */
  push(...notifications: readonly Notification[]): Promise<void>;
  /** Reaches the webhooks that want the message. */
  webhook(message: WebhookMessage): Promise<void>;
  /** `expiresAt`: epoch ms; by default within a day. */
  mail(email: Email, expiresAt?: number): Promise<void>;
  /** Names the actor of the change. */
  audit<Action extends AuditAction>(
    action: Action,
    details: AuditDetails[Action],
    memberId?: number | null,
  ): Promise<void>;
}
