import type { Feature } from "#server/platform/feature.ts";
import { exportProfile } from "./export.ts";
import { addMemberRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const feature = {
  routes: addMemberRoutes,
  tables,
  accountExport: exportProfile,
} satisfies Feature;
