import type { Generated } from "kysely";

import type { WebhookEvent, WebhookFormat } from "#contract/webhooks.ts";
import type { TablePolicies } from "#server/platform/table-policy.ts";
import * as store from "./store.ts";

declare module "#server/db/schema.ts" {
  interface Tables {
    webhooks: {
      id: Generated<number>;
      name: string;
      format: WebhookFormat;
      url: string;
      /** Access token of the receiver; empty without one. */
      token: string;
      /** Signs messages of the format `json`: `whsec_` and 32 bytes in base64. */
      secret: string;
      /** Administrator who created or last resumed the webhook. */
      created_by: number | null;
      created_at: number;
      /** `null` while the webhook is active. */
      paused_at: number | null;
      /** Failed attempts in a row, and the time of the first. */
      failures: Generated<number>;
      failing_since: number | null;
      /** Newest beer that a summary has included, and the time of that summary. */
      last_beer_id: number;
      summarized_at: number;
    };
    webhook_events: { webhook_id: number; event: WebhookEvent };
  }
}

export const tables = {
  webhooks: {
    backup: "included",
    hasSecrets: true,
    times: { failing_since: { ahead: 0, otherwise: "now" }, summarized_at: { ahead: 0 } },
    // A copy of the installation must not send to the receivers of the original.
    onRestore: (tx, now) => store.pauseWebhooks(tx, {}, now),
    memberColumns: { created_by: { onAccountDeletion: "keep", exportedAs: "webhooks_made" } },
  },
  webhook_events: { backup: "included", hasSecrets: true },
} satisfies TablePolicies;
