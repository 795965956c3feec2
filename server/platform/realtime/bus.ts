import type { Db } from "#server/db/connect.ts";
import { errorFields, type Log } from "#server/platform/log.ts";

/** If `sessionIds` (hashes) is present, only these sessions of the member are affected. */
export interface AccessScope {
  readonly userId: number;
  readonly sessionIds?: readonly string[];
}

/** Member with the app open. */
export interface RosterMember {
  readonly userId: number;
  readonly name: string;
  readonly avatarId: string | null;
}

/** Message between instances, or from the command line to them. */
export type BusMessage =
  | { readonly kind: "event"; readonly event: string; readonly channel: string; readonly data: object }
  | ({ readonly kind: "access" } & AccessScope)
  | { readonly kind: "session-rotated"; readonly from: string; readonly to: string }
  /**
   * Members who are connected to the sender, and in `left` the ids of those who no longer are. Without `isComplete`,
   * only the changes. Also the sender's heartbeat.
   */
  | {
      readonly kind: "roster";
      readonly members: readonly RosterMember[];
      readonly left?: readonly number[];
      readonly isComplete?: boolean;
    }
  /** Asks for the present members of the other instances, e.g. from a new instance. */
  | { readonly kind: "hello" }
  | { readonly kind: "bye" }
  /** Sent from a feature to the same feature on all instances. */
  | { readonly kind: "feature"; readonly feature: string; readonly data: object }
  /** The command line has written to the database; the receivers call their `onGap` listeners. */
  | { readonly kind: "resync" };

/** `from` can be this instance. */
export type OnMessage = (message: BusMessage, from: string) => unknown;

/** Carries messages between instances, and from the command line to them. */
export interface Bus {
  /** Random digits. All socket ids of this process begin with them. */
  readonly instance: string;
  /** `false` with SQLite: no other process can receive messages. */
  readonly reachesOthers: boolean;
  /**
   * Sends all instances, including this one, a message about a change, in its transaction `db`. Delivers it exactly
   * once after the commit, also if this process dies. `inTransaction` waits until the listeners of this instance have
   * handled it. Rejects if the database is down.
   */
  send(db: Db, message: BusMessage): Promise<void>;
  /**
   * Sends the other instances a message about something that is not stored, e.g. who is present. Never rejects; the
   * message is lost if the database is down.
   */
  tell(message: BusMessage): Promise<void>;
  onMessage(listener: OnMessage): void;
  /** Called after a gap: messages may have been missed, or the command line has written to the database. */
  onGap(listener: () => void): void;
  /** Messages of other instances would not arrive at once, or not at all. */
  isDeaf(): boolean;
  close(): Promise<void>;
}

export function createInstanceId(): string {
  return String(crypto.getRandomValues(new Uint32Array(1))[0]);
}

export interface BusListeners extends Pick<Bus, "onMessage" | "onGap"> {
  /** Resolves when all listeners have handled the message, and logs their failures. A `resync` goes to the listeners of `onGap` instead. */
  deliver(message: BusMessage, from: string): Promise<void>;
  reportGap(): void;
}

export function createBusListeners(log: Log): BusListeners {
  const messageListeners: OnMessage[] = [];
  const gapListeners: (() => void)[] = [];
  const reportGap = (): void => gapListeners.forEach((listener) => listener());
  return {
    onMessage: (listener) => void messageListeners.push(listener),
    onGap: (listener) => void gapListeners.push(listener),
    reportGap,
    async deliver(message, from) {
      try {
        if (message.kind === "resync") reportGap();
        else await Promise.all(messageListeners.map(async (listener) => listener(message, from)));
      } catch (error) {
        // The change is committed, so a failure here must not look like a failure of the change.
        log.error("bus-message-failed", errorFields(error));
      }
    },
  };
}
