import { managedCalendarChanged, openDoorsChanged } from "#contract/calendar-events.ts";
import * as contract from "#contract/calendar-notices.ts";
import type { Context } from "#server/platform/context.ts";
import type { Feature } from "#server/platform/feature.ts";
import { handle } from "#server/platform/http/handle.ts";
import { dismissNotices, listNotices } from "./notice-actions.ts";

export const channels = (() => [
  { name: managedCalendarChanged.channel, permission: "admin" },
  { name: openDoorsChanged.channel },
]) satisfies Feature["channels"];

export function addNoticeRoutes(context: Context): void {
  const { http, db } = context;
  handle(http, contract.getCalendarNotices, ({ member }) => listNotices(db, member.id));
  handle(http, contract.dismissCalendarNotices, ({ member, params }) => dismissNotices(context, member.id, params.id));
}
