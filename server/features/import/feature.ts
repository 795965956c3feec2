import { feature } from "#server/platform/feature.ts";
import { commands } from "./commands.ts";
import { jobs } from "./jobs.ts";
import { addRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const imports = feature({ name: "import", tables, routes: [addRoutes], jobs, commands });
