import { feature } from "#server/platform/feature.ts";
import { addAuditRoutes } from "./audit-routes.ts";
import { addBackupRoutes } from "./backup-routes.ts";
import { commands } from "./commands.ts";
import { demoCommands } from "./demo-commands.ts";
import { accountExport } from "./export.ts";
import { addHealthRoutes } from "./health-routes.ts";
import { jobs } from "./jobs.ts";
import { addMetricRoutes } from "./metric-routes.ts";
import { addReleaseRoutes } from "./release-routes.ts";
import { addRoutes } from "./routes.ts";

export const operation = feature({
  name: "operation",
  routes: [addRoutes, addHealthRoutes, addMetricRoutes, addReleaseRoutes, addBackupRoutes, addAuditRoutes],
  jobs,
  commands: [...commands, ...demoCommands],
  accountExport,
});
