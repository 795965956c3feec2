import type { Generated } from "kysely";

/**
 * The whole data model on one page. Times are epoch milliseconds, days are `YYYY-MM-DD` in the group's time zone,
 * JSON is text, absent means null. The same on SQLite and PostgreSQL.
 */
export interface Tables {
  settings: { key: string; value: string };

  /** The failures are those of strangers; sessions and known devices count their own. */
  users: FailureCount & {
    id: Generated<number>;
    uname: string;
    /** Folded, so that no two members look alike. */
    uname_key: string;
    name: string;
    email: string;
    email_key: string;
    /** A PHC string, `$argon2id$…`; empty: whoever this was has deleted the account. */
    password_hash: string;
    /** JSON list of permissions. */
    permissions: string;
    avatar_id: string | null;
    disabled_at: number | null;
    created_at: number;
    /** By which he or she came; null where it is not known. */
    invitation_id: number | null;
    last_login_at: number | null;
    /** Whether the others see that he or she is here. */
    is_shown: Generated<number>;
    /** Whether he or she takes a break from the ranking, and from being told of. */
    is_paused: Generated<number>;
  };

  pictures: { id: string; user_id: number; png: Buffer; created_at: number };

  sessions: FailureCount & {
    /** SHA-256 of the id in the cookie, hex. */
    id: string;
    user_id: number;
    is_remembered: number;
    user_agent: string;
    created_at: number;
    last_seen_at: number;
    /** When the password was last entered in this session. */
    confirmed_at: number;
  };

  /** Browsers that have logged in to an account before. One that several members use has a row for each. */
  known_devices: FailureCount & {
    /** SHA-256 of the device cookie, hex. */
    id: string;
    user_id: number;
    last_login_at: number;
  };

  invitations: {
    id: Generated<number>;
    /** SHA-256 of the token, hex. */
    token_hash: string;
    permissions: string;
    /** Null: made on the command line. */
    created_by: number | null;
    created_at: number;
    expires_at: number;
    uses_left: number;
    revoked_at: number | null;
  };

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

  /** Password-reset links, at most three live ones per member. One that was used or ended has no row. */
  reset_tokens: {
    id: Generated<number>;
    user_id: number;
    /** SHA-256 of the token, hex. */
    token_hash: string;
    /** 1: asked for by mail. 0: handed over by an administrator or the command line. */
    is_mailed: number;
    /** The administrator who made it; null: mailed, or made on the command line. */
    created_by: number | null;
    expires_at: number;
  };

  /** Mails that are still to be delivered; gone as soon as the mail server has taken them. */
  mails: {
    /** Also the left half of its Message-ID, so that a mail server can tell a repetition. */
    id: string;
    recipient: string;
    subject: string;
    text: string;
    html: string;
    /** Not before this; whoever sends it moves this on first, so that nobody else takes it meanwhile. */
    due_at: number;
    /** How often the mail server refused it. */
    refusals: number;
    /** Worth nothing after this. */
    expires_at: number;
  };

  /** Attempts counted in a fixed window; in the database, so that a restart forgets nothing. */
  login_attempts: { key: string; attempts: number; resets_at: number };

  /** A browser that is pushed to, for as long as its session lives. */
  push_subscriptions: {
    id: Generated<number>;
    session_id: string;
    endpoint: string;
    /** The browser's public key and shared secret, base64url. */
    p256dh: string;
    auth: string;
    created_at: number;
    /** When its push service last took something. */
    delivered_at: number | null;
    /** How many pushes failed in a row, and since when. */
    failures: Generated<number>;
    failing_since: number | null;
  };

  /** Sessions whose browser was taken off the list: it does not come back by itself. */
  push_refusals: { session_id: string };

  /** Members without a row have the defaults. Quiet hours are `HH:MM` in the group's time zone. */
  notification_settings: {
    user_id: number;
    beers: number;
    game_servers: number;
    sound: number;
    quiet_from: string | null;
    quiet_until: string | null;
  };

  /**
   * When something of this kind by this member was last pushed, and how high her or his count stood then; or when one
   * member last toasted another.
   */
  notification_pauses: { key: string; pushed_at: number; count: number };

  /** Pushes that a server did not send any more before it stopped; the next start takes them. */
  kept_pushes: {
    id: Generated<number>;
    subscription_id: number;
    payload: string;
    topic: string;
    permission: string | null;
    expires_at: number;
  };

  beers: {
    id: Generated<number>;
    user_id: number;
    /** The Idempotency-Key of the tap; unique per member for ever, so a late repetition never counts twice. */
    key: string | null;
    /** When it was drunk. */
    at: number;
    /** When the server heard of it, where that was later. */
    booked_at: number | null;
    /** The counters right after this beer: the answer that the same key gets again. */
    group_total: number;
    own_total: number;
  };

  /** Taps that count no more and never will, whether their beer had been booked (`beer_id`) or not. */
  undone_beers: {
    id: Generated<number>;
    user_id: number;
    key: string | null;
    beer_id: number | null;
    /** What the key was answered, or would have been, so that it still gets an answer. */
    group_total: number;
    own_total: number;
  };

  /** One row: the group's counter. `version` rises with every change of anything a counter or chart shows. */
  beer_group: { id: number; total: number; version: number; first_day: string | null };
  beer_members: { user_id: number; total: number };
  /** `day` is `2026-11-21`, in the TIME_ZONE that the settings name. */
  beer_member_days: { day: string; user_id: number; total: number };
  /** 0 is Monday. */
  beer_weekdays: { weekday: number; total: number };

  /** Round numbers that were reached, of the group or of one member; each once, also if its beer is taken back. */
  milestones: {
    id: Generated<number>;
    kind: "group" | "member";
    count: number;
    /** Who drank it. */
    user_id: number;
    at: number;
  };

  /** Televisions that show the counter. One whose link is revoked has no row. */
  tv_links: {
    id: Generated<number>;
    /** Where it stands, in the words of whoever set it up. */
    name: string;
    /** SHA-256 of the token, hex. */
    token_hash: string;
    created_by: number | null;
    created_at: number;
    last_used_at: number | null;
  };

  /** One picture per day and door, as a large screen and as a phone shows it (WebP). */
  calendar_pictures: { date: string; /** Unguessable. */ id: string; screen: Buffer; phone: Buffer };
  calendar_openings: { user_id: number; date: string; opened_at: number };
  /** At most one row: the music that the operator chose instead of ours. `id` changes with the file. */
  calendar_audio: { id: string; media: string; bytes: Buffer; size: number };

  /** What the administrator set up, what was wanted, and what was last seen by the instance that looks after them. */
  game_servers: {
    id: Generated<number>;
    display_name: string;
    /** docker, unit, script or command. */
    driver: string;
    /** What the driver calls it; never leaves the server. */
    ref: string;
    /** `host:port`, for the players and for the query. */
    address: string | null;
    /** minecraft, source, quake3 or none. */
    query: string;
    grace_seconds: number | null;
    idle_stop_minutes: number | null;
    position: number;
    created_at: number;

    /** `start` or `stop`, whatever was wanted last: an end that was wanted is no crash. */
    wanted: string | null;
    /** Null: nobody, it happened by itself. */
    changed_by: number | null;
    changed_at: number | null;
    /** The change under way, and until when its maker's word counts: a crash frees it. */
    changing: string | null;
    changing_until: Generated<number>;

    /** As of `Phase` in the room's rules. */
    phase: Generated<string>;
    /** The driver's own word. */
    word: Generated<string>;
    is_alive: Generated<number>;
    run_since: number | null;
    /** JSON of `Players`; null while nobody knows. */
    players: string | null;
    /** Since when nobody plays, and when it stops because of that. */
    empty_since: number | null;
    auto_stop_at: number | null;
  };
}

/** Consecutive wrong passwords, and until when further attempts wait. */
interface FailureCount {
  failed_logins: Generated<number>;
  locked_until: Generated<number>;
}
