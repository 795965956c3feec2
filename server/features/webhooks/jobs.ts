import type { Job } from "#server/platform/feature.ts";
import { hours, minutes, seconds } from "#server/time.ts";
import { startSending, summarizeBeers } from "./actions.ts";
import { deliveryRetention } from "./rules.ts";
import { deleteOldDeliveries } from "./store.ts";

export const jobs: readonly Job[] = [
  {
    name: "send webhooks",
    isEverywhere: true,
    atStart: true,
    interval: seconds(5),
    // Does not wait for the receivers, because a slow one must not delay those of the next run.
    run: async (context) => void (await startSending(context)),
  },
  { name: "summarize beers for webhooks", interval: minutes(1), run: summarizeBeers },
  {
    name: "delete old webhook deliveries",
    atStart: true,
    interval: hours(1),
    run: ({ db, clock }) => deleteOldDeliveries(db, clock.now() - deliveryRetention),
  },
];
