import type { Job } from "#server/platform/feature.ts";
import { minutes } from "#server/time.ts";
import { remindOfEmptyDoors } from "./actions.ts";

export const jobs: readonly Job[] = [
  { name: "remind members of their empty calendar doors", interval: minutes(15), run: remindOfEmptyDoors },
];
