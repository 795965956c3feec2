import type { Generated } from "kysely";

/**
 * Times are epoch milliseconds, days are `YYYY-MM-DD` in the group's time zone, JSON is text. The tables here belong to
 * no feature; each feature adds its own in `tables.ts`.
 */
export interface Tables {
  settings: { key: string; value: string };

  /** Written in the transaction of the change that it records, and never updated. */
  audit: {
    id: Generated<number>;
    at: number;
    via: "page" | "command";
    /** `null` for the command line. A deleted account keeps its id. */
    actor_id: number | null;
    action: string;
    /** Member whom the action affects. */
    member_id: number | null;
    /** JSON, without secrets. */
    details: string;
  };

  /** Mails and pushes are deleted when they are done; webhooks are kept as a history. */
  outbox: {
    id: Generated<number>;
    /** Identity for the receiver, the same in all attempts. */
    uuid: string;
    kind: "mail" | "push" | "webhook";
    /** Address of a mail, or id of a push subscription or webhook, which may have ended since. */
    receiver: string;
    /** A newer message with the same receiver and tag replaces a waiting one; `null` replaces nothing. */
    tag: string | null;
    /** JSON. */
    message: string;
    created_at: number;
    /** Time at which the message is dropped. */
    expires_at: number;
    /** Time of the next attempt. */
    due_at: number;
    /** End of an instance's claim, by the clock of the database. */
    claimed_until: number | null;
    /** Failed attempts, not counting failures to reach a mail server. */
    attempts: Generated<number>;
    state: Generated<"waiting" | "delivered" | "dropped">;
    /** Last attempt as JSON. */
    answer: string | null;
  };

  /**
   * Attempts per fixed time window, stored so that a restart does not reset them. `resets_at` is a time of the
   * monotonic clock.
   */
  login_attempts: { key: string; attempts: number; resets_at: number };

  /** Tasks that only one instance may do at a time, and the running instances. Empty on SQLite. */
  leases: {
    name: string;
    /** Random id of a process. */
    holder: string;
    /** By the database's clock; the holder postpones it every second. */
    expires_at: number;
  };

  /** Requests to a hosted realtime service to end the sockets of a member; deleted when it has accepted them. */
  socket_ends: { id: Generated<number>; user_id: number };

  /**
   * Messages to the other instances on PostgreSQL, written in the transaction of the change that they announce. Rows
   * are deleted after two minutes.
   */
  bus_messages: {
    id: Generated<number>;
    /** PostgreSQL's number of the transaction, without wraparound. */
    transaction_id: Generated<number>;
    /** By the database's clock. */
    sent_at: Generated<number>;
    instance: string;
    /** `BusMessage` as JSON. */
    message: string;
    /** 1 if the sending process must not receive the message. */
    excludes_sender: Generated<number>;
  };
}
