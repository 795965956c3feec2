import { feature } from "#server/platform/feature.ts";
import { jobs } from "./jobs.ts";
import { addRoutes } from "./routes.ts";

export const account = feature({ name: "account", routes: [addRoutes], jobs });
