import { feature } from "#server/platform/feature.ts";
import { addAdminRoutes } from "./admin-routes.ts";
import { commands } from "./commands.ts";
import { accountExport } from "./export.ts";
import { jobs, onListen } from "./jobs.ts";
import { addOidcRoutes } from "./oidc-routes.ts";
import { addPasskeyRoutes } from "./passkey-routes.ts";
import { addAccountRoutes, addLoginRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const accounts = feature({
  name: "accounts",
  tables,
  routes: [addLoginRoutes, addAccountRoutes, addPasskeyRoutes, addOidcRoutes, addAdminRoutes],
  jobs,
  onListen,
  commands,
  accountExport,
});
