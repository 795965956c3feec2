import { feature } from "#server/platform/feature.ts";
import { accountExport } from "./export.ts";
import { jobs } from "./jobs.ts";
import { tables } from "./tables.ts";

export const loginThrottle = feature({ name: "login-throttle", tables, jobs, accountExport });
