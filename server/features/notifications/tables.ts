import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/tables.ts" {
  interface Tables {
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
      calendar: Generated<number>;
      party: Generated<number>;
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
  }
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
