import type { Db } from "#server/db/connect.ts";

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

/** A message from an instance, or from the command line, to other instances. */
export type BusMessage =
  | { readonly kind: "event"; readonly event: string; readonly channel: string; readonly data: object }
  | ({ readonly kind: "access" } & AccessScope)
  | { readonly kind: "session-rotated"; readonly from: string; readonly to: string }
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
  /** A request of a new instance for the rosters of the other instances. */
  | { readonly kind: "hello" }
  | { readonly kind: "bye" }
  /** Number of the sender's open sockets. */
  | { readonly kind: "load"; readonly sockets: number }
  /** A message from a feature to the same feature on all instances. */
  | { readonly kind: "feature"; readonly feature: string; readonly data: object }
  /** The command line has written to the database; the receivers handle this as a gap. */
  | { readonly kind: "resync" };

/** Handles a message. `from` is the id of the sending instance, which can be this one. */
export type OnMessage = (message: BusMessage, from: string) => unknown;

/** Carries messages between instances, and from the command line to them. */
export interface Bus {
  /** Random digits with which all socket ids of this process begin. */
  readonly instance: string;
  /** `false` if no other process can receive messages, as with SQLite. */
  readonly reachesOthers: boolean;
  /**
   * Sends a message that belongs to a change to all instances, including this one. Writes it in the
   * transaction `db` of the change, and delivers it exactly once after the commit, also if this
   * process dies. `inTransaction` waits until the listeners of this instance have handled it.
   * Rejects if the database is down.
   */
  send(db: Db, message: BusMessage): Promise<void>;
  /**
   * Sends a message that belongs to no change, e.g. who is present, to the other instances. Never
   * rejects; the message is lost if the database is down.
   */
  tell(message: BusMessage): Promise<void>;
  onMessage(listener: OnMessage): void;
  /**
   * Registers a listener that is called after a gap: messages may have been missed, or the command
   * line has written to the database.
   */
  onGap(listener: () => void): void;
  /** Returns `true` if messages of other instances would not arrive at once, or not at all. */
  isDeaf(): boolean;
  close(): Promise<void>;
}

/** Returns a random number as digits, which identifies this instance. */
export function createInstanceId(): string {
  return String(crypto.getRandomValues(new Uint32Array(1))[0]);
}

/** The listeners of a bus. */
export interface BusListeners extends Pick<Bus, "onMessage" | "onGap"> {
  /** Resolves when all listeners have handled the message. A `resync` is reported as a gap. */
  deliver(message: BusMessage, from: string): Promise<void>;
  reportGap(): void;
}

export function createBusListeners(): BusListeners {
  const messageListeners: OnMessage[] = [];
  const gapListeners: (() => void)[] = [];
  const reportGap = (): void => gapListeners.forEach((listener) => listener());
  return {
    onMessage: (listener) => void messageListeners.push(listener),
    onGap: (listener) => void gapListeners.push(listener),
    reportGap,
    async deliver(message, from) {
      if (message.kind === "resync") reportGap();
      else await Promise.all(messageListeners.map((listener) => listener(message, from)));
    },
  };
}
