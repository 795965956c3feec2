import type { Generated } from "kysely";

import type { TablePolicies } from "#server/platform/table-policy.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    /** Deleted with their session. */
    push_subscriptions: {
      id: Generated<number>;
      session_id: string;
      endpoint: string;
      /** Public key of the browser in base64url; `auth` is the secret that it shares with the server. */
      p256dh: string;
      auth: string;
      created_at: number;
      /** `null` until the first delivery. */
      delivered_at: number | null;
      /** Failed pushes in a row, and the time of the first of them. */
      failures: Generated<number>;
      failing_since: number | null;
    };
    /** Sessions that a member removed from the push devices; their browsers do not subscribe again automatically. */
    push_refusals: { session_id: string };
    /** A member without a row has `defaultSettings`. Quiet hours are `HH:MM` in the group's time zone. */
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
    /** Last push of a kind and sender, with the sender's beer count at that time. */
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
