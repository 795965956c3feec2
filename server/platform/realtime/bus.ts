/** The member whose access changed, or only some of that member's sessions (hashes). */
export interface AccessScope {
  readonly userId: number;
  readonly sessionIds?: readonly string[];
}

/** A present member, as an instance reports it to the others. */
export interface RosterMember {
  readonly userId: number;
  readonly name: string;
  readonly avatarId: string | null;
}

/** The messages that instances and the command line send to the other instances. */
export type BusMessage =
  | { readonly kind: "event"; readonly event: string; readonly channel: string; readonly data: object }
  | ({ readonly kind: "access" } & AccessScope)
  | { readonly kind: "session-rotated"; readonly from: string; readonly to: string }
  /** The sender signed this channel for a socket of another instance, on behalf of this session. */
  | { readonly kind: "grant"; readonly socketId: string; readonly channel: string; readonly sessionId: string }
  /** The members connected to the sender; also its heartbeat. */
  | { readonly kind: "roster"; readonly members: readonly RosterMember[] }
  | { readonly kind: "left"; readonly userId: number }
  /** A new instance asks the others for their rosters. */
  | { readonly kind: "hello" }
  | { readonly kind: "bye" }
  /** A message of one feature to the same feature on the other instances. */
  | { readonly kind: "feature"; readonly feature: string; readonly data: object }
  /** Messages were lost; the receiver handles this as a gap. */
  | { readonly kind: "resync" };

/**
 * The connection between instances and the command line. Delivers at most once, in each sender's order, and never to the sender.
 */
export interface Bus {
  /** The random digits that begin all socket ids of this process. */
  readonly instance: string;
  /** `false` if no other process can listen. */
  readonly reachesOthers: boolean;
  /** Resolves when the message was sent or dropped. Never rejects. */
  send(message: BusMessage): Promise<void>;
  onMessage(listener: (message: BusMessage, from: string) => void): void;
  /** Registers a listener that is called when messages may have been missed. */
  onGap(listener: () => void): void;
  close(): Promise<void>;
}

/** Returns a random number in digits, unique to this instance. */
export function createInstanceId(): string {
  return String(crypto.getRandomValues(new Uint32Array(1))[0]);
}
