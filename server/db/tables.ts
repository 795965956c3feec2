import type { Generated } from "kysely";

/**
 * The tables of the platform; every feature adds its own in its tables.ts. Times are epoch milliseconds, days are
 * `YYYY-MM-DD` in the group's time zone, JSON is text, absent means null. The same on SQLite and PostgreSQL.
 */
export interface Tables {
  settings: { key: string; value: string };

  /** What administrators did. Written with the change itself, never changed. */
  audit: {
    id: Generated<number>;
    at: number;
    via: "page" | "command";
    /** Null on the command line, or once the member is gone. */
    actor_id: number | null;
    action: string;
    /** The member it happened to. */
    member_id: number | null;
    /** JSON; no secrets. */
    details: string;
  };

  /** Mails that are still to be delivered; gone as soon as the mail server has taken them. */
  mails: {
    /** Also the left half of its Message-ID, so that a mail server can tell a repetition. */
    id: string;
    recipient: string;
    subject: string;
    text: string;
    html: string;
    /** Epoch ms of the next attempt. The instance that sends it moves it on first, so that no other one takes it meanwhile. */
    due_at: number;
    /** How often the mail server refused it. */
    refusals: number;
    /** Deleted unsent after this, in epoch ms. */
    expires_at: number;
  };
}

/** Consecutive wrong passwords, and until when further attempts wait. */
export interface FailureCount {
  failed_logins: Generated<number>;
  locked_until: Generated<number>;
}
