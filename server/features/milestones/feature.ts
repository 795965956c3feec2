import { feature } from "#server/platform/feature.ts";
import { accountExport } from "./export.ts";
import { tables } from "./tables.ts";

export const milestones = feature({ name: "milestones", tables, accountExport });
