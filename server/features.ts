import { accountEvents } from "./features/account-events/feature.ts";
import { account } from "./features/account/feature.ts";
import { apiTokens } from "./features/api-tokens/feature.ts";
import { auth } from "./features/auth/feature.ts";
import { beers } from "./features/beers/feature.ts";
import { calendar } from "./features/calendar/feature.ts";
import { corrections } from "./features/corrections/feature.ts";
import { gameServers } from "./features/game-servers/feature.ts";
import { group } from "./features/group/feature.ts";
import { heightCalculator } from "./features/height-calculator/feature.ts";
import { imports } from "./features/import/feature.ts";
import { invitations } from "./features/invitations/feature.ts";
import { memberManagement } from "./features/member-management/feature.ts";
import { memberPage } from "./features/member-page/feature.ts";
import { members } from "./features/members/feature.ts";
import { news } from "./features/news/feature.ts";
import { notifications } from "./features/notifications/feature.ts";
import { oidc } from "./features/oidc/feature.ts";
import { operation } from "./features/operation/feature.ts";
import { parties } from "./features/parties/feature.ts";
import { passkeys } from "./features/passkeys/feature.ts";
import { passwordReset } from "./features/password-reset/feature.ts";
import { presence } from "./features/presence/feature.ts";
import { profile } from "./features/profile/feature.ts";
import { statistics } from "./features/statistics/feature.ts";
import { tv } from "./features/tv/feature.ts";
import { webhooks } from "./features/webhooks/feature.ts";
import type { Feature } from "./platform/feature.ts";
import { formerTables, platformTables, type TablePolicies } from "./platform/table-policy.ts";

/** All features of the server. The platform (server/platform) is not one of them. */
export const features: readonly Feature[] = [
  accountEvents,
  account,
  apiTokens,
  auth,
  beers,
  calendar,
  corrections,
  gameServers,
  group,
  heightCalculator,
  imports,
  invitations,
  memberManagement,
  memberPage,
  members,
  news,
  notifications,
  oidc,
  operation,
  parties,
  passkeys,
  passwordReset,
  presence,
  profile,
  statistics,
  tv,
  webhooks,
];

/**
 * Backup, export and deletion policies of all tables of the platform and the features, including
 * tables that only earlier versions had.
 */
export const tables: TablePolicies = Object.assign(
  {},
  platformTables,
  formerTables,
  ...features.map((feature) => feature.tables),
);
