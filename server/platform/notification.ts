import type { NotificationKind } from "#contract/notifications.ts";

export interface Notification {
  readonly kind: NotificationKind;
  /** Id of e.g. a party, only for kinds in which each thing has its own page; news of it may follow after a space. */
  readonly about?: string;
  /** Member who caused the event and is not notified. */
  readonly senderId: number | null;
  /** Notifies only this member. */
  readonly to?: number;
  /**
   * Only with `to`: called if a device may receive the notification now. `false` cancels it, e.g. because another
   * instance has sent it.
   */
  readonly claim?: () => Promise<boolean>;
  readonly body: string;
  /** Milliseconds until an undelivered push expires, if it ages faster than others. */
  readonly lifetime?: number;
  /**
   * Text of a push about several events. `count` are all such events that the sender has caused, `more` those since the
   * sender's last push.
   */
  readonly several?: { readonly count: number; readonly body: (more: number) => string };
}
