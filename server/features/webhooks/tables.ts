import type { Generated } from "kysely";

import type { WebhookEvent, WebhookFormat } from "#contract/webhooks.ts";
import type { TablePolicies } from "#server/platform/table-policy.ts";
import { claimMs, longestWait, type WebhookFailure } from "./rules.ts";
import { pauseWebhooks } from "./store.ts";

export interface WebhooksTables {
  webhooks: {
    id: Generated<number>;
    name: string;
    format: WebhookFormat;
    url: string;
    /** Access token of the receiver; empty without one. */
    token: string;
    /** Key that signs messages of the format `json`: `whsec_` and 32 bytes in base64. */
    secret: string;
    /** The administrator who created or last resumed the webhook. */
    created_by: number | null;
    created_at: number;
    /** Epoch milliseconds since which the webhook is paused; `null` while the webhook is active. */
    paused_at: number | null;
    /** Number of failed attempts in a row; `failing_since` is the time of the first. */
    failures: Generated<number>;
    failing_since: number | null;
    /** Id of the newest beer that a summary has included; `summarized_at` is the time of that summary. */
    last_beer_id: number;
    summarized_at: number;
  };
  webhook_events: { webhook_id: number; event: WebhookEvent };
  webhook_deliveries: {
    id: string;
    webhook_id: number;
    /** JSON of a `WebhookMessage`. */
    message: string;
    event: WebhookEvent;
    created_at: number;
    /**
     * Time of the next attempt; an instance that claims the delivery moves this time into the
     * future, for instances of the previous release.
     */
    due_at: number;
    /** End of an instance's claim, by the clock of the database; `null` if unclaimed. */
    claimed_until: number | null;
    state: "waiting" | "delivered" | "dropped";
    attempts: Generated<number>;
    /** HTTP status of the last attempt; `null` if its failure is in `failure`. */
    status: number | null;
    failure: WebhookFailure | null;
  };
}

export const tables = {
  webhooks: {
    backup: "included",
    times: { failing_since: { ahead: 0, otherwise: "now" }, summarized_at: { ahead: 0, otherwise: 0 } },
    // A copy of the installation must not send to the receivers of the original.
    onRestore: (tx, now) => pauseWebhooks(tx, {}, now),
    memberColumns: { created_by: { onAccountDeletion: "keep", exportedAs: "webhooks_made" } },
  },
  webhook_events: { backup: "included" },
  webhook_deliveries: {
    backup: "excluded",
    times: {
      created_at: { ahead: 0, otherwise: 0 },
      due_at: { ahead: longestWait, otherwise: 0 },
      claimed_until: { ahead: claimMs, otherwise: null },
    },
  },
} satisfies TablePolicies;
