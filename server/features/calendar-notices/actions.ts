import { managedCalendarChanged, openDoorsChanged, ownDoorsChanged } from "#contract/calendar-events.ts";
import type { CalendarNotice } from "#contract/calendar-notices.ts";
import { type Db, inTransaction } from "#server/db/connect.ts";
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
 * Stores a notice for a member. Call it and `announceOwnDoors` in the transaction of the change, and
 * call `pushNotices` after the commit.
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
 * Sends the notices by push. Paused members get no push and see the notices on the calendar page.
 */
export async function pushNotices(context: Context, notices: readonly PendingNotice[]): Promise<void> {
  for (const { id, userId, ...notice } of notices) {
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
  await inTransaction(context.db, async (tx) => {
    await store.deleteNotices(tx, userId, lastId);
    await announceOwnDoors(tx, context, userId);
  });
}

/**
 * Makes the member's open pages refetch the member's doors and notices, and show `message`. Call
 * this function and the functions below in the transaction of the change.
 */
export async function announceOwnDoors(
  tx: Db,
  { realtime }: Pick<Context, "realtime">,
  userId: number,
  message: string | null = null,
): Promise<void> {
  await realtime.publish(tx, ownDoorsChanged.name, `${ownDoorsChanged.channel}${userId}`, { message });
}

/** Makes open pages of the admin calendar refetch. */
export async function announceManagedCalendar(tx: Db, { realtime }: Pick<Context, "realtime">): Promise<void> {
  await realtime.publish(tx, managedCalendarChanged.name, managedCalendarChanged.channel, {});
}

/** Makes open calendar pages refetch their doors. Call it only for doors whose day has begun. */
export async function announceOpenDoors(tx: Db, { realtime }: Pick<Context, "realtime">): Promise<void> {
  await realtime.publish(tx, openDoorsChanged.name, openDoorsChanged.channel, {});
}
