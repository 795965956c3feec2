import { feature } from "#server/platform/feature.ts";
import { seedDemo } from "./demo.ts";
import { accountExport } from "./export.ts";
import { addGuestDeviceRoutes } from "./guest-device-routes.ts";
import { addGuestRoutes } from "./guest-routes.ts";
import { jobs } from "./jobs.ts";
import { addPhotoRoutes } from "./photo-routes.ts";
import { addRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const parties = feature({
  name: "parties",
  tables,
  routes: [addRoutes, addGuestRoutes, addGuestDeviceRoutes, addPhotoRoutes],
  jobs,
  accountExport,
  seedDemo,
});
