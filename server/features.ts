import { accountEventsFeature } from "./features/account-events/feature.ts";
import { accountFeature } from "./features/account/feature.ts";
import { apiTokensFeature } from "./features/api-tokens/feature.ts";
import { auditFeature } from "./features/audit/feature.ts";
import { authFeature } from "./features/auth/feature.ts";
import { beercounterFeature } from "./features/beercounter/feature.ts";
import { calendarDoorsFeature } from "./features/calendar-doors/feature.ts";
import { calendarLotteryFeature } from "./features/calendar-lottery/feature.ts";
import { calendarMusicFeature } from "./features/calendar-music/feature.ts";
import { calendarNoticesFeature } from "./features/calendar-notices/feature.ts";
import { calendarRemovalsFeature } from "./features/calendar-removals/feature.ts";
import { christmasCalendarFeature } from "./features/christmas-calendar/feature.ts";
import { correctionsFeature } from "./features/corrections/feature.ts";
import { demoFeature } from "./features/demo/feature.ts";
import { gameServersFeature } from "./features/game-servers/feature.ts";
import { groupFeature } from "./features/group/feature.ts";
import { heightCalculatorFeature } from "./features/height-calculator/feature.ts";
import { hostFeature } from "./features/host/feature.ts";
import { importFeature } from "./features/import/feature.ts";
import { invitationsFeature } from "./features/invitations/feature.ts";
import { memberManagementFeature } from "./features/member-management/feature.ts";
import { memberPageFeature } from "./features/member-page/feature.ts";
import { membersFeature } from "./features/members/feature.ts";
import { metricsFeature } from "./features/metrics/feature.ts";
import { milestonesFeature } from "./features/milestones/feature.ts";
import { newsFeature } from "./features/news/feature.ts";
import { notificationsFeature } from "./features/notifications/feature.ts";
import { oidcFeature } from "./features/oidc/feature.ts";
import { partyGuestsFeature } from "./features/party-guests/feature.ts";
import { partyFeature } from "./features/party/feature.ts";
import { passkeysFeature } from "./features/passkeys/feature.ts";
import { passwordResetFeature } from "./features/password-reset/feature.ts";
import { presenceFeature } from "./features/presence/feature.ts";
import { profileFeature } from "./features/profile/feature.ts";
import { releasesFeature } from "./features/releases/feature.ts";
import { statisticsFeature } from "./features/statistics/feature.ts";
import { tvFeature } from "./features/tv/feature.ts";
import { webhooksFeature } from "./features/webhooks/feature.ts";
import { yearReviewFeature } from "./features/year-review/feature.ts";
import type { Feature } from "./platform/feature.ts";
import { formerTables, platformTables, type TablePolicies } from "./platform/table-policy.ts";

/** All features of the server. The platform (server/platform) is not one of them. */
export const features: readonly Feature[] = [
  accountFeature,
  accountEventsFeature,
  apiTokensFeature,
  auditFeature,
  authFeature,
  beercounterFeature,
  calendarDoorsFeature,
  calendarLotteryFeature,
  calendarMusicFeature,
  calendarNoticesFeature,
  calendarRemovalsFeature,
  christmasCalendarFeature,
  correctionsFeature,
  demoFeature,
  gameServersFeature,
  groupFeature,
  heightCalculatorFeature,
  hostFeature,
  importFeature,
  invitationsFeature,
  memberManagementFeature,
  memberPageFeature,
  membersFeature,
  metricsFeature,
  milestonesFeature,
  newsFeature,
  notificationsFeature,
  oidcFeature,
  partyFeature,
  partyGuestsFeature,
  passkeysFeature,
  passwordResetFeature,
  presenceFeature,
  profileFeature,
  releasesFeature,
  statisticsFeature,
  tvFeature,
  webhooksFeature,
  yearReviewFeature,
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
