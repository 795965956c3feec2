import { managedCalendarChanged, openDoorsChanged, ownDoorsChanged } from "#contract/calendar-events.ts";
import type { CalendarNotice } from "#contract/calendar-notices.ts";
import type { Db } from "#server/db/connect.ts";
import { findUserById } from "#server/features/members/store.ts";
import { notifyMember } from "#server/features/notifications/actions.ts";
import type { Context } from "#server/platform/context.ts";
import { toIso } from "#server/time.ts";
import { type Notice, noticeText } from "./rules.ts";
import * as store from "./store.ts";

/** A stored notice that its member has not been told of yet. */
export interface PendingNotice extends Notice {
  readonly id: number;
  readonly userId: number;
}

/**
 * Stores a notice for a member. Call it in the transaction of the change, and call
 * `announceNotices` after the commit.
 */
export async function createNotice(tx: Db, userId: number, notice: Notice, at: number): Promise<PendingNotice> {
  const { kind, date, movedTo = null } = notice;
  return {
    ...notice,
    userId,
    id: await store.insertNotice(tx, { user_id: userId, at, kind, date, moved_to: movedTo }),
  };
}

/**
 * Announces the notices on the members' open pages and by push. Paused members get no push and see
 * the notices on the calendar page.
 */
export async function announceNotices(context: Context, notices: readonly PendingNotice[]): Promise<void> {
  for (const { id, userId, ...notice } of notices) {
    announceOwnDoors(context, userId);
    if ((await findUserById(context.db, userId))?.is_paused !== 0) continue;
    const body = noticeText(notice);
    await notifyMember(context, userId, { kind: "calendar", about: `notice-${id}`, body, claim: async () => true });
  }
}

export async function listNotices(db: Db, userId: number): Promise<CalendarNotice[]> {
  return (await store.listNotices(db, userId)).map(({ id, at, moved_to, ...notice }) => ({
    id,
    at: toIso(at),
    text: noticeText({ ...notice, ...(moved_to !== null && { movedTo: moved_to }) }),
  }));
}

export async function dismissNotices(context: Context, userId: number, lastId: number): Promise<void> {
  await store.deleteNotices(context.db, userId, lastId);
  announceOwnDoors(context, userId);
}

/** Makes the member's open pages refetch the member's doors and notices, and show `message`. */
export function announceOwnDoors(
  { realtime }: Pick<Context, "realtime">,
  userId: number,
  message: string | null = null,
): void {
  realtime.publish(ownDoorsChanged.name, `${ownDoorsChanged.channel}${userId}`, { message });
}

/** Makes open pages of the admin calendar refetch. */
export function announceManagedCalendar({ realtime }: Pick<Context, "realtime">): void {
  realtime.publish(managedCalendarChanged.name, managedCalendarChanged.channel, {});
}

/**
 * Makes open calendar pages refetch their doors, at most once per throttle interval. Call it only
 * for doors whose day has begun.
 */
export function announceOpenDoors({ publishThrottled }: Pick<Context, "publishThrottled">): void {
  publishThrottled(openDoorsChanged.name, openDoorsChanged.channel);
}
