import { accounts } from "./features/accounts/feature.ts";
import { beers } from "./features/beers/feature.ts";
import { calendar } from "./features/calendar/feature.ts";
import { gameServers } from "./features/game-servers/feature.ts";
import { group } from "./features/group/feature.ts";
import { imports } from "./features/import/feature.ts";
import { members } from "./features/members/feature.ts";
import { notifications } from "./features/notifications/feature.ts";
import { operation } from "./features/operation/feature.ts";
import { parties } from "./features/parties/feature.ts";
import { statistics } from "./features/statistics/feature.ts";
import { tv } from "./features/tv/feature.ts";
import { webhooks } from "./features/webhooks/feature.ts";
import type { Feature } from "./platform/feature.ts";
import { formerTables, platformTables, type TablePolicies } from "./platform/table-policy.ts";

export const features: readonly Feature[] = [
  accounts,
  beers,
  calendar,
  gameServers,
  group,
  imports,
  members,
  notifications,
  operation,
  parties,
  statistics,
  tv,
  webhooks,
];

/** Includes tables that only earlier versions had. */
export const tables: TablePolicies = Object.assign(
  {},
  platformTables,
  formerTables,
  ...features.map((feature) => feature.tables),
);
