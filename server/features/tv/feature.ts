import type { Feature } from "#server/platform/feature.ts";
import { hours } from "#server/time.ts";
import { addTvRoutes } from "./routes.ts";
import { maxIdleMs } from "./rules.ts";
import { deleteIdleLinks } from "./store.ts";
import { tables } from "./tables.ts";

export const feature = {
  routes: addTvRoutes,
  tables,
  jobs: [
    {
      name: "delete TV links that nobody uses",
      interval: hours(1),
      run: ({ db, clock }) => deleteIdleLinks(db, clock.now() - maxIdleMs),
    },
  ],
} satisfies Feature;
