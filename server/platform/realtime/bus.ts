/** Somebody who is here, as one instance tells the others. */
export interface RosterMember {
  readonly userId: number;
  readonly name: string;
  readonly avatarId: string | null;
}

/** What instances and the command line tell each other. */
export type BusMessage =
  | { readonly kind: "event"; readonly event: string; readonly channel: string; readonly data: object }
  /** Access of this member, or of these sessions (hashes), may have changed: look again. */
  | { readonly kind: "access"; readonly userId?: number; readonly sessionIds?: readonly string[] }
  | { readonly kind: "session-rotated"; readonly from: string; readonly to: string }
  /** The sender signed this channel for a socket that lives elsewhere, on behalf of this session. */
  | { readonly kind: "grant"; readonly socketId: string; readonly channel: string; readonly sessionId: string }
  /** These members are connected to the sender, which is alive. */
  | { readonly kind: "roster"; readonly members: readonly RosterMember[] }
  | { readonly kind: "left"; readonly userId: number }
  /** A new instance asks everybody for their roster. */
  | { readonly kind: "hello" }
  | { readonly kind: "bye" }
  /** What one feature tells itself on other instances. */
  | { readonly kind: "feature"; readonly feature: string; readonly data: object }
  /** Something happened that could not be told: read the state again. */
  | { readonly kind: "resync" };

/** How instances and the command line tell each other. Messages arrive in the sender's order, at most once, never at the sender. */
export interface Bus {
  /** Digits; the first half of the ids of all sockets that live in this process. */
  readonly instance: string;
  /** False where this process is the only one that could listen. */
  readonly reachesOthers: boolean;
  /** Resolves when the message is on its way, or is not going to be. Never rejects. */
  send(message: BusMessage): Promise<void>;
  onMessage(listener: (message: BusMessage, from: string) => void): void;
  /** The listener is called when messages may have been missed. */
  onGap(listener: () => void): void;
  close(): Promise<void>;
}

/** A number that no other instance has, in digits. */
export function createInstanceId(): string {
  return String(crypto.getRandomValues(new Uint32Array(1))[0]);
}
