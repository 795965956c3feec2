import { defineFeature } from "#server/platform/feature.ts";
import { accountExport } from "./export.ts";
import { tables } from "./tables.ts";

export const milestonesFeature = defineFeature({ name: "milestones", tables, accountExport });
