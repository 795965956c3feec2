/** Whose access changed: a member's, or only that of some of the member's sessions (hashes). */
export interface AccessScope {
  readonly userId: number;
  readonly sessionIds?: readonly string[];
}

/** A present member, as one instance tells the others. */
export interface RosterMember {
  readonly userId: number;
  readonly name: string;
  readonly avatarId: string | null;
}

/** The messages between instances, and from the command line. */
export type BusMessage =
  | { readonly kind: "event"; readonly event: string; readonly channel: string; readonly data: object }
  | ({ readonly kind: "access" } & AccessScope)
  | { readonly kind: "session-rotated"; readonly from: string; readonly to: string }
  /** The sender signed this channel for a socket of another instance, on behalf of this session. */
  | { readonly kind: "grant"; readonly socketId: string; readonly channel: string; readonly sessionId: string }
  /** These members are connected to the sender, which is alive. */
  | { readonly kind: "roster"; readonly members: readonly RosterMember[] }
  | { readonly kind: "left"; readonly userId: number }
  /** A new instance asks the others for their rosters. */
  | { readonly kind: "hello" }
  | { readonly kind: "bye" }
  /** A message of one feature to itself on the other instances. */
  | { readonly kind: "feature"; readonly feature: string; readonly data: object }
  /** Messages were lost: a gap for those who receive it. */
  | { readonly kind: "resync" };

/** Connects instances and the command line. Messages arrive in the sender's order, at most once, and never at the sender. */
export interface Bus {
  /** Digits; the first half of the ids of all sockets of this process. */
  readonly instance: string;
  /** False if no other process can listen. */
  readonly reachesOthers: boolean;
  /** Resolves when the message was sent or given up. Never rejects. */
  send(message: BusMessage): Promise<void>;
  onMessage(listener: (message: BusMessage, from: string) => void): void;
  /** Called when messages may have been missed. */
  onGap(listener: () => void): void;
  close(): Promise<void>;
}

/** A random number in digits, unique to this instance. */
export function createInstanceId(): string {
  return String(crypto.getRandomValues(new Uint32Array(1))[0]);
}
