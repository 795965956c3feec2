import { defineFeature } from "#server/platform/feature.ts";
import { commands } from "./commands.ts";
import { addRoutes } from "./routes.ts";

export const importFeature = defineFeature({ name: "import", addRoutes, commands });
