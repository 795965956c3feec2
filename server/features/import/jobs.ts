import type { Job } from "#server/platform/feature.ts";
import { seconds } from "#server/time.ts";
import { finishImports } from "./actions.ts";

export const jobs: readonly Job[] = [
  { name: "finish imports", atStart: true, interval: seconds(30), run: finishImports },
];
