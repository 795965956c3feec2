import { feature } from "#server/platform/feature.ts";
import { addAdminRoutes } from "./admin-routes.ts";
import { commands } from "./commands.ts";
import { seedDemo } from "./demo.ts";
import { accountExport } from "./export.ts";
import { jobs } from "./jobs.ts";
import { addLotteryRoutes } from "./lottery-routes.ts";
import { addMusicRoutes } from "./music-routes.ts";
import { addNoticeRoutes, channels } from "./notice-routes.ts";
import { addRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const calendar = feature({
  name: "calendar",
  tables,
  routes: [addRoutes, addLotteryRoutes, addMusicRoutes, addNoticeRoutes, addAdminRoutes],
  channels,
  jobs,
  commands,
  accountExport,
  seedDemo,
});
