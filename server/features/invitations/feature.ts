import { feature } from "#server/platform/feature.ts";
import { addAdminRoutes } from "./admin-routes.ts";
import { commands } from "./commands.ts";
import { accountExport } from "./export.ts";
import { onListen } from "./jobs.ts";
import { addRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const invitations = feature({
  name: "invitations",
  tables,
  routes: [addRoutes, addAdminRoutes],
  onListen,
  commands,
  accountExport,
});
