import type { Job } from "#server/platform/feature.ts";
import { hours, latestStart, minutes, seconds } from "#server/time.ts";
import { sendDue, summarizeBeers } from "./actions.ts";
import { deliveryRetention } from "./rules.ts";
import { deleteOldDeliveries } from "./store.ts";

export const jobs: readonly Job[] = [
  { name: "send webhooks", isEverywhere: true, atStart: true, interval: seconds(5), run: sendDue },
  { name: "summarize beers for webhooks", interval: minutes(1), run: summarizeBeers },
  {
    name: "delete old webhook deliveries",
    atStart: true,
    interval: hours(1),
    run: ({ db, clock }) => deleteOldDeliveries(db, clock.now() - deliveryRetention, latestStart(clock.now())),
  },
];
