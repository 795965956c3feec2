import { feature } from "#server/platform/feature.ts";
import { jobs } from "./jobs.ts";
import { addRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const auth = feature({ name: "auth", tables, routes: [addRoutes], jobs });
