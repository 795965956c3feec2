import type { Job } from "#server/platform/feature.ts";
import { minutes } from "#server/time.ts";
import { pushDealings } from "./actions.ts";

export const jobs: readonly Job[] = [
  { name: "tell members which calendar doors they drew", interval: minutes(15), run: pushDealings },
];
