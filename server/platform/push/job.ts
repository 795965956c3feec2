import type { Permission } from "#contract/endpoint.ts";

export interface PushMessage {
  /** Content as JSON text, at most 3 KiB. */
  readonly payload: string;
  /**
   * Name of at most 32 base64url characters. A browser that was offline gets only the last message
   * with the same topic.
   */
  readonly topic: string;
  /** Time (epoch ms) after which the message is not delivered. */
  readonly expiresAt: number;
}

/**
 * A message to one subscription. `prepareDelivery` may complete its payload just before sending.
 */
export interface PushJob extends PushMessage {
  readonly subscriptionId: number;
  /**
   * Permission that the member must still have when the message is sent; `null` if none is needed.
   */
  readonly permission: Permission | null;
}
