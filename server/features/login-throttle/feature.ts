import { defineFeature } from "#server/platform/feature.ts";
import { accountExport } from "./export.ts";
import { jobs } from "./jobs.ts";
import { tables } from "./tables.ts";

export const loginThrottleFeature = defineFeature({ name: "login-throttle", tables, jobs, accountExport });
