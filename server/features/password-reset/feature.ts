import type { Feature } from "#server/platform/feature.ts";
import { minutes } from "#server/time.ts";
import { exportResetLinks } from "./export.ts";
import { addPasswordResetRoutes } from "./routes.ts";
import { deleteExpiredResetTokens } from "./store.ts";
import { tables } from "./tables.ts";

export const feature = {
  routes: addPasswordResetRoutes,
  tables,
  jobs: [
    {
      name: "delete expired reset links",
      interval: minutes(10),
      run: ({ db, clock }) => deleteExpiredResetTokens(db, clock.now()),
    },
  ],
  accountExport: exportResetLinks,
} satisfies Feature;
