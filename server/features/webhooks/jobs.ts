import type { Job } from "#server/platform/feature.ts";
import { minutes } from "#server/time.ts";
import { summarizeBeers } from "./actions.ts";

export const jobs: readonly Job[] = [
  { name: "summarize beers for webhooks", interval: minutes(1), run: summarizeBeers },
];
