import { managedCalendarChanged, openDoorsChanged, ownDoorsChanged } from "#contract/calendar-events.ts";
import type { CalendarNotice } from "#contract/calendar-notices.ts";
import type { Db } from "#server/db/connect.ts";
import { change } from "#server/platform/change.ts";
import type { Context } from "#server/platform/context.ts";
import type { Say } from "#server/platform/say.ts";
import { toIso } from "#server/time.ts";
import { type Notice, noticeText } from "./notice-rules.ts";
import * as store from "./notice-store.ts";

export async function createNotice(tx: Db, say: Say, userId: number, notice: Notice, at: number): Promise<void> {
  const { kind, date, movedTo = null } = notice;
  const id = await store.insertNotice(tx, { user_id: userId, at, kind, date, moved_to: movedTo });
  await announceOwnDoors(say, userId);
  await say.push({ kind: "calendar", to: userId, senderId: null, about: `notice-${id}`, body: noticeText(notice) });
}

export async function listNotices(db: Db, userId: number): Promise<CalendarNotice[]> {
  return (await store.listNotices(db, userId)).map(({ id, at, moved_to, ...notice }) => ({
    id,
    at: toIso(at),
    text: noticeText({ ...notice, ...(moved_to !== null && { movedTo: moved_to }) }),
  }));
}

export async function dismissNotices(context: Context, userId: number, lastId: number): Promise<void> {
  await change(context, userId, async (tx, say) => {
    await store.deleteNotices(tx, userId, lastId);
    await announceOwnDoors(say, userId);
  });
}

/** Makes open pages refetch the doors and notices, and show `message`. */
export async function announceOwnDoors(say: Say, userId: number, message: string | null = null): Promise<void> {
  await say.event(ownDoorsChanged, { message }, userId);
}

export async function announceManagedCalendar(say: Say): Promise<void> {
  await say.event(managedCalendarChanged, {});
}

/** Call this only for doors whose day has begun. */
export async function announceOpenDoors(say: Say): Promise<void> {
  await say.event(openDoorsChanged, {});
}
