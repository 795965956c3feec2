import type { Feature } from "#server/platform/feature.ts";
import { exportMilestones } from "./export.ts";
import { tables } from "./tables.ts";

export const feature = {
  tables,
  accountExport: exportMilestones,
} satisfies Feature;
