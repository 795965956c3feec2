import type { Feature } from "#server/platform/feature.ts";
import { adminCommands } from "./commands.ts";
import { exportAuditEntries } from "./export.ts";
import { addAdminRoutes } from "./routes.ts";

export const feature = {
  routes: addAdminRoutes,
  commands: adminCommands,
  accountExport: exportAuditEntries,
} satisfies Feature;
