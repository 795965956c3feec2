import type { NotificationKind } from "#contract/notifications.ts";

/** An event that other members may want to be notified of. */
export interface Notification {
  readonly kind: NotificationKind;
  /** Id of the subject, for kinds with one page per subject. */
  readonly about?: string;
  /** The member who caused the event and is not notified; `null` if no member caused it. */
  readonly senderId: number | null;
  readonly body: string;
  /** The text for several events since the last push; `count` is the sender's total, `more` the number since the last push. */
  readonly several?: { readonly count: number; readonly body: (more: number) => string };
}
