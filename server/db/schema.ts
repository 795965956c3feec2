import type { Generated } from "kysely";

/**
 * All tables of SQLite and PostgreSQL. Times are epoch milliseconds, days are `YYYY-MM-DD` in the group's time zone, JSON is
 * text, and absent values are null. Here are the tables that belong to no feature; each feature adds its own in `tables.ts`.
 */
export interface Tables {
  settings: { key: string; value: string };

  /**
   * Entries of the audit log. Each is written in the transaction of the change that it records, and
   * never updated.
   */
  audit: {
    id: Generated<number>;
    at: number;
    via: "page" | "command";
    /** Id of the member who acted; `null` for the command line. A deleted account keeps its id. */
    actor_id: number | null;
    action: string;
    /** Id of the affected member; `null` if no member is affected. */
    member_id: number | null;
    /** Details of the action as JSON, without secrets. */
    details: string;
  };

  /** Messages to the outside. Mails and pushes are deleted when they are done; webhooks are kept as a history. */
  outbox: {
    id: Generated<number>;
    /** Identity for the receiver, the same in all attempts. */
    uuid: string;
    kind: "mail" | "push" | "webhook";
    /** Address of a mail, or id of a push subscription or webhook, which may have ended since. */
    receiver: string;
    /** A newer message with the same receiver and tag replaces a waiting one; `null` replaces nothing. */
    tag: string | null;
    /** Content as JSON. */
    message: string;
    created_at: number;
    /** Time after which the message is dropped. */
    expires_at: number;
    /** Time of the next attempt. */
    due_at: number;
    /** End of an instance's claim, by the clock of the database; `null` if unclaimed. */
    claimed_until: number | null;
    /** Number of failed attempts, not counting failures to reach a mail server. */
    attempts: Generated<number>;
    state: Generated<"waiting" | "delivered" | "dropped">;
    /** Data about the last attempt as JSON; `null` before the first one. */
    answer: string | null;
  };

  /**
   * Attempts of all kinds per fixed time window (`countAttempt`). Stored, so that a restart does not reset the counts.
   * `resets_at` is a time of the monotonic clock.
   */
  login_attempts: { key: string; attempts: number; resets_at: number };

  /** Tasks that only one instance may do at a time, and the running instances. Empty on SQLite. */
  leases: {
    name: string;
    /** Random id of the process that holds the lease. */
    holder: string;
    /**
     * End of the lease in epoch ms by the database's clock; the holder postpones it every second.
     */
    expires_at: number;
  };

  /** Requests to a hosted realtime service to end the sockets of a member. Rows are deleted when it has accepted them. */
  socket_ends: { id: Generated<number>; user_id: number };

  /**
   * Messages to the other instances on PostgreSQL, written in the transaction of the change that
   * they announce. Rows are deleted after two minutes.
   */
  bus_messages: {
    id: Generated<number>;
    /** PostgreSQL's number of the transaction that wrote the row, without wraparound. */
    transaction_id: Generated<number>;
    /** Epoch ms by the database's clock. */
    sent_at: Generated<number>;
    /** Id of the sending process. */
    instance: string;
    /** A `BusMessage` as JSON. */
    message: string;
    /** 1 if the sending process must not receive the message. */
    excludes_sender: Generated<number>;
  };
}
