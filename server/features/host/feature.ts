import { feature } from "#server/platform/feature.ts";
import { commands } from "./commands.ts";
import { jobs } from "./jobs.ts";
import { addRoutes } from "./routes.ts";

export const host = feature({ name: "host", routes: [addRoutes], jobs, commands });
