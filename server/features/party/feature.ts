import { defineFeature } from "#server/platform/feature.ts";
import { seedDemo } from "./demo.ts";
import { accountExport } from "./export.ts";
import { addRoutes } from "./routes.ts";
import { tables } from "./tables.ts";

export const partyFeature = defineFeature({
  name: "party",
  tables,
  addRoutes,
  accountExport,
  seedDemo,
});
