import type { NotificationKind } from "#contract/notifications.ts";

/** An event that other members may want to be notified of. */
export interface Notification {
  readonly kind: NotificationKind;
  /**
   * Id of the thing that the event is about, e.g. of a party; only for kinds in which each thing
   * has its own page.
   */
  readonly about?: string;
  /** The member who caused the event and is not notified; `null` if no member caused it. */
  readonly senderId: number | null;
  /** Member who alone is notified. */
  readonly to?: number;
  /**
   * For a notification `to` a member: called only if a device may receive it now; it is not sent if this resolves to
   * `false`, e.g. because another instance has sent it.
   */
  readonly claim?: () => Promise<boolean>;
  readonly body: string;
  /**
   * Text of a push about several events. `count` is the total number of such events that the sender
   * has caused, `more` the number since the sender's last push.
   */
  readonly several?: { readonly count: number; readonly body: (more: number) => string };
}
