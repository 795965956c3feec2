import type { Job } from "#server/platform/feature.ts";
import { hours } from "#server/time.ts";
import { checkReleasesIfDue } from "./actions.ts";

export const jobs: readonly Job[] = [
  { name: "look for a newer version once a day", atStart: true, interval: hours(1), run: checkReleasesIfDue },
];
