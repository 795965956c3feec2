import type { Permission } from "#contract/endpoint.ts";

export interface PushMessage {
  /** JSON of at most 3 KiB. */
  readonly payload: string;
  /** At most 32 base64url characters. A browser that was offline gets only the last message of a topic. */
  readonly topic: string;
  /** Epoch ms after which the message is not delivered. */
  readonly expiresAt: number;
}

/** `prepareDelivery` may complete the payload just before sending. */
export interface PushJob extends PushMessage {
  readonly subscriptionId: number;
  /** Permission that the member must still have when the message is sent. */
  readonly permission: Permission | null;
}
