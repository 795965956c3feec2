import type { Feature } from "#server/platform/feature.ts";
import { hours } from "#server/time.ts";
import { deletePersonalRows } from "./actions.ts";
import { addAccountRoutes } from "./routes.ts";

export const feature = {
  routes: addAccountRoutes,
  jobs: [
    {
      name: "delete what was written while its account was being deleted",
      interval: hours(1),
      run: ({ db, tables }) => deletePersonalRows(db, tables),
    },
  ],
} satisfies Feature;
