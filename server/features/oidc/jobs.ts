import type { Job } from "#server/platform/feature.ts";
import { minutes } from "#server/time.ts";
import { deleteExpired } from "./store.ts";

export const jobs: readonly Job[] = [
  {
    name: "delete expired OpenID requests",
    interval: minutes(10),
    run: ({ db, clock }) => deleteExpired(db, clock.now()),
  },
];
