import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    /** Push subscriptions of browsers. A subscription is deleted with its session. */
    push_subscriptions: {
      id: Generated<number>;
      session_id: string;
      endpoint: string;
      /**
       * Public key of the browser in base64url; `auth` is the secret that the browser shares with the
       * server.
       */
      p256dh: string;
      auth: string;
      created_at: number;
      /** Time of the last delivered push; `null` until the first delivery. */
      delivered_at: number | null;
      /** Number of failed pushes in a row; `failing_since` is the time of the first of them. */
      failures: Generated<number>;
      failing_since: number | null;
    };
    /**
     * Sessions whose browser a member removed from the push devices, so that the browser does not
     * subscribe again automatically.
     */
    push_refusals: { session_id: string };
    /**
     * Settings of a member; a member without a row has `defaultSettings`. Quiet hours are `HH:MM` in
     * the group's time zone.
     */
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
    /** The time of the last push of a kind and sender, with the sender's beer count at that time. */
    notification_pauses: { key: string; pushed_at: number; count: number };
  }
}

export const tables = {
  push_subscriptions: { backup: "excluded", times: { failing_since: { ahead: 0, otherwise: "now" } } },
  push_refusals: { backup: "excluded" },
  notification_settings: {
    backup: "included",
    memberColumns: { user_id: { onAccountDeletion: "delete", exportedAs: "notifications" } },
  },
  notification_pauses: { backup: "excluded", times: { pushed_at: { ahead: 0 } } },
} satisfies TablePolicies;
