import { defineFeature } from "#server/platform/feature.ts";
import { commands } from "./commands.ts";
import { jobs } from "./jobs.ts";
import { addRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const importFeature = defineFeature({ name: "import", tables, addRoutes, jobs, commands });
