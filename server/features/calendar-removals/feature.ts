import { defineFeature } from "#server/platform/feature.ts";
import { accountExport } from "./export.ts";
import { jobs } from "./jobs.ts";
import { tables } from "./tables.ts";

export const calendarRemovalsFeature = defineFeature({ name: "calendar-removals", tables, jobs, accountExport });
