import type { Job } from "#server/platform/feature.ts";
import * as adoptStore from "#server/platform/outbox/adopt-store.ts";
import * as outboxStore from "#server/platform/outbox/store.ts";
import { days, hours, minutes } from "#server/time.ts";
import { summarizeBeers } from "./actions.ts";
import { deliveryLifetime } from "./rules.ts";

export const jobs: readonly Job[] = [
  { name: "summarize beers for webhooks", interval: minutes(1), run: summarizeBeers },
  {
    name: "delete old webhook messages",
    atStart: true,
    interval: hours(1),
    run: ({ db, clock }) => outboxStore.deleteOldMessages(db, clock.now() - days(7)),
  },
  {
    // Instances of the previous release fill its queues until they are updated.
    name: "send messages of the previous release",
    atStart: true,
    interval: minutes(1),
    run: ({ db, clock }) => adoptStore.adoptFormerMessages(db, clock.now(), deliveryLifetime),
  },
];
