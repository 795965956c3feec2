import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";

export interface NotificationsTables {
  /** Push subscriptions of browsers; deleted with their session. */
  push_subscriptions: {
    id: Generated<number>;
    session_id: string;
    endpoint: string;
    /** The browser's public key, base64url; `auth` is the shared secret. */
    p256dh: string;
    auth: string;
    created_at: number;
    /** Time of the last delivery; `null` until the first one. */
    delivered_at: number | null;
    /** Number of failures in a row; `failing_since` is the time of the first. */
    failures: Generated<number>;
    failing_since: number | null;
  };
  /** Sessions whose browser was removed from the devices; it does not subscribe again automatically. */
  push_refusals: { session_id: string };
  /** Members without a row have the defaults. Quiet hours are `HH:MM` in the group's time zone. */
  notification_settings: {
    user_id: number;
    beers: number;
    game_servers: number;
    calendar: Generated<number>;
    party: Generated<number>;
    sound: number;
    quiet_from: string | null;
    quiet_until: string | null;
  };
  /**
   * Time of the last push per kind and sender, with the sender's count at that time; also the last toast from one member to
   * another.
   */
  notification_pauses: { key: string; pushed_at: number; count: number };
  /** Pushes that were pending when a server stopped; the next start sends them. */
  kept_pushes: {
    id: Generated<number>;
    subscription_id: number;
    payload: string;
    topic: string;
    permission: string | null;
    expires_at: number;
  };
}

export const tables = {
  push_subscriptions: { backup: "excluded" },
  push_refusals: { backup: "excluded" },
  notification_settings: {
    backup: "included",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "notifications" } },
  },
  notification_pauses: { backup: "excluded" },
  kept_pushes: { backup: "excluded" },
} satisfies TablePolicies;
