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
   * Present members who are connected to the sender, and in `left` the ids of members who no longer
   * are. With `isComplete`, `members` lists all members of the sender; otherwise only changes. The
   * message is also the sender's heartbeat.
   */
  | {
      readonly kind: "roster";
      readonly members: readonly RosterMember[];
      readonly left?: readonly number[];
      readonly isComplete?: boolean;
    }
  /** A request for the present members of the other instances, e.g. from a new instance. */
  | { readonly kind: "hello" }
  | { readonly kind: "bye" }
  /** Number of the sender's open sockets. */
  /** A message from a feature to the same feature on all instances. */
  | { readonly kind: "feature"; readonly feature: string; readonly data: object }
  /** The command line has written to the database; the receivers call their `onGap` listeners. */
  | { readonly kind: "resync" };

/** Handles a message. `from` is the id of the sending instance, which can be this one. */
export type OnMessage = (message: BusMessage, from: string) => unknown;

/** Carries messages between instances, and from the command line to them. */
export interface Bus {
  /** Random digits that identify this process. All its socket ids begin with them. */
  readonly instance: string;
  /** `false` if no other process can receive messages, as with SQLite. */
  readonly reachesOthers: boolean;
  /**
   * Sends all instances, including this one, a message about a change of the database. Writes the
   * message in the transaction `db` of the change, and delivers it exactly once after the commit,
   * also if this process dies. `inTransaction` waits until the listeners of this instance have
   * handled the message. Rejects if the database is down.
   */
  send(db: Db, message: BusMessage): Promise<void>;
  /**
   * Sends the other instances a message about something that is not stored, e.g. who is present.
   * Never rejects; the message is lost if the database is down.
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
  /**
   * Calls the listeners and resolves when all have handled the message. For a `resync`, calls the
   * listeners of `onGap` instead.
   */
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
