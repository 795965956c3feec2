/**
 * The member whose access changed. If `sessionIds` (hashes) is present, only these sessions of the
 * member are affected.
 */
export interface AccessScope {
  readonly userId: number;
  readonly sessionIds?: readonly string[];
}

/** A member with the app open, as an instance reports the member to other instances. */
export interface RosterMember {
  readonly userId: number;
  readonly name: string;
  readonly avatarId: string | null;
}

/** A message from an instance, or from the command line, to the other instances. */
export type BusMessage =
  | { readonly kind: "event"; readonly event: string; readonly channel: string; readonly data: object }
  | ({ readonly kind: "access" } & AccessScope)
  | { readonly kind: "session-rotated"; readonly from: string; readonly to: string }
  /**
   * The sender signed a subscription to this channel, for a socket of another instance and a
   * session.
   */
  | { readonly kind: "grant"; readonly socketId: string; readonly channel: string; readonly sessionId: string }
  /**
   * Members who are connected to the sender, and ids of members who no longer are. With
   * `isComplete`, `members` lists all members of the sender. The message is also the sender's
   * heartbeat.
   */
  | {
      readonly kind: "roster";
      readonly members: readonly RosterMember[];
      readonly left?: readonly number[];
      readonly isComplete?: boolean;
    }
  | { readonly kind: "left"; readonly userId: number }
  /** A request of a new instance for the rosters of the other instances. */
  | { readonly kind: "hello" }
  | { readonly kind: "bye" }
  /** A message from a feature to the same feature on the other instances. */
  | { readonly kind: "feature"; readonly feature: string; readonly data: object }
  /** Announces that messages were lost; the receiver handles this as a gap. */
  | { readonly kind: "resync" };

/**
 * The connection between instances, and from the command line to them. Delivers each message at
 * most once, in the order of its sender, and never to its sender.
 */
export interface Bus {
  /** Random digits with which all socket ids of this process begin. */
  readonly instance: string;
  /** `false` if no other process can receive messages, as with SQLite. */
  readonly reachesOthers: boolean;
  /** Resolves when the message was sent or dropped. Never rejects. */
  send(message: BusMessage): Promise<void>;
  onMessage(listener: (message: BusMessage, from: string) => void): void;
  /**
   * Registers a listener that is called after a gap, which means that messages may have been
   * missed.
   */
  onGap(listener: () => void): void;
  close(): Promise<void>;
}

/** Returns a random number as digits, which identifies this instance. */
export function createInstanceId(): string {
  return String(crypto.getRandomValues(new Uint32Array(1))[0]);
}
