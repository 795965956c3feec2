import { randomBytes, randomInt } from "node:crypto";

import type { FastifyRequest } from "fastify";

import type { ManagedCalendar } from "#contract/admin-calendar.ts";
import * as contract from "#contract/christmas-calendar.ts";
import {
  type CalendarImage,
  calendarPictureWidths,
  type OpenedImages,
  type OwnDoor,
} from "#contract/christmas-calendar.ts";
import type { BodyOf, Endpoint, FormOf } from "#contract/endpoint.ts";
import { type Db, inTransaction } from "#server/db/connect.ts";
import { lockSession } from "#server/features/auth/actions.ts";
import { findAudio } from "#server/features/calendar-music/store.ts";
import {
  announceManagedCalendar,
  announceOpenDoors,
  announceOwnDoors,
  createNotice,
  listNotices,
} from "#server/features/calendar-notices/actions.ts";
import { restorableMs } from "#server/features/calendar-removals/rules.ts";
import * as removals from "#server/features/calendar-removals/store.ts";
import { inAdminChange } from "#server/features/members/actions.ts";
import { notifyMember } from "#server/features/notifications/actions.ts";
import { type Change, createAuditEntry } from "#server/platform/audit/store.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import { withUpload } from "#server/platform/http/upload.ts";
import { localDay, localTime } from "#server/platform/local-day.ts";
import { type PictureProblem, pictureProblemTexts, shrinkPicture } from "#server/platform/picture.ts";
import { createSemaphore } from "#server/platform/semaphore.ts";
import * as rules from "./rules.ts";
import * as store from "./store.ts";

/** The doors of `year`, by default of the current calendar; none of a future one. */
export async function findOpenedImages(
  { db, clock, config }: Context,
  userId: number,
  year: number | null,
): Promise<OpenedImages> {
  const now = clock.now();
  const today = localDay(now, config.timeZone);
  const current = rules.shownCalendarYear(today);
  const nextYear = rules.nextCalendarYear(today);
  const wanted = year ?? current;
  const doors = wanted > current ? [] : await store.listDoors(db, userId, `${wanted}-%`, today);
  const upcoming = (await store.listAssignments(db, nextYear)).filter(({ date }) => date > today);
  // Shown like the others, so that nobody sees whose picture has just come.
  const canRestore = new Set(await removals.listRestorable(db, nextYear, { isByOwner: true }, now - restorableMs));
  const empty = upcoming.filter(({ date, id }) => id === null && date.startsWith(`${wanted}-`) && wanted <= current);
  const images: CalendarImage[] = [...doors.map(toImage), ...empty.map(({ date }) => ({ date, url: "" }))];
  return {
    images: images.toSorted((one, other) => (one.date < other.date ? -1 : 1)),
    year: wanted,
    years: await store.listYears(db, current),
    today,
    own_doors: upcoming
      .filter(({ user_id }) => user_id === userId)
      .map((door) => toOwnDoor(door, canRestore.has(door.date))),
    begun_doors: (await store.listAssignments(db, wanted))
      .filter(({ date, user_id, id }) => user_id === userId && date <= today && id !== null)
      .map((door) => toOwnDoor(door, false)),
    notices: await listNotices(db, userId),
  };
}

type Assignment = Awaited<ReturnType<typeof store.listAssignments>>[number];

function toOwnDoor({ date, id, text, is_hidden }: Assignment, canRestore: boolean): OwnDoor {
  const picture = id === null ? null : rules.pictureUrl(id);
  return { date, picture, text, is_hidden: is_hidden === 1, can_restore: canRestore };
}

/** A door as a member sees it; what is known of its picture only if he or she has opened it. */
function toImage({ date, id, isOpen, by, text, opened, members }: store.Door): CalendarImage {
  if (!isOpen) return { date, url: "" };
  const words = { ...(by !== null && { by }), ...(text !== null && { text }) };
  return { date, url: rules.pictureUrl(id), ...words, opened, members };
}

/** Opens a door for one member. */
export async function openDoor(context: Context, userId: number, date: string): Promise<CalendarImage> {
  const { db, clock, config } = context;
  if (!rules.isDate(date)) throw refuseField("date", "V-in");
  if (!rules.isCalendarDay(date)) throw refuse("M404");
  const today = localDay(clock.now(), config.timeZone);
  if (date > today) throw refuse("M403door");
  if ((await store.findPictureId(db, date)) === undefined) throw refuse("M404");
  if (await store.createOpening(db, { user_id: userId, date, opened_at: clock.now() })) {
    announceOpenDoors(context);
    announceManagedCalendar(context);
  }
  const [door] = await store.listDoors(db, userId, date, today);
  // It may have been taken down just now.
  if (!door) throw refuse("M404");
  return toImage(door);
}

/** Puts a picture behind a member's own door, with its text. */
export async function fillOwnDoor(
  context: Context,
  member: Member,
  date: string,
  request: FastifyRequest,
): Promise<void> {
  const { picture, fields } = await receivePicture(context, request, contract.fillOwnDoor, () =>
    checkOwnDoor(context, context.db, member, date),
  );
  await changeOwnDoor(context, member, date, async (tx) => {
    await store.replacePicture(tx, { date, id: createPictureId(), ...picture });
    await store.updateOwnDoor(tx, date, {
      text: fields.text ?? null,
      ...(fields.is_hidden !== undefined && { is_hidden: Number(fields.is_hidden) }),
    });
  });
}

export async function emptyOwnDoor(context: Context, member: Member, date: string): Promise<void> {
  await changeOwnDoor(context, member, date, async (tx) => {
    const isRemoved = await removals.removePicture(tx, date, { isByOwner: true }, context.clock.now());
    if (!isRemoved) throw refuse("M404");
  });
}

/** Hangs the picture again that the member took down, if the door is still empty. */
export async function restoreOwnDoor(context: Context, member: Member, date: string): Promise<void> {
  await changeOwnDoor(context, member, date, async (tx) => {
    if ((await store.findPictureId(tx, date)) !== undefined)
      throw refuse("M409filled", { door: rules.dayNumber(date) });
    const since = context.clock.now() - restorableMs;
    const removed = await removals.findRemoved(tx, date, { isByOwner: true }, since);
    if (removed?.owner_id !== member.id) throw refuse("M409gone");
    await removals.restorePicture(tx, removed.id);
  });
}

/** Changes the line below the member's picture, until its day begins, and whether the others are told whose it is, at any time. */
export async function changeOwnDoorDetails(
  context: Context,
  member: Member,
  date: string,
  { text, is_hidden }: BodyOf<typeof contract.changeOwnDoor>,
): Promise<void> {
  const { db, clock, config } = context;
  await inTransaction(db, async (tx) => {
    await lockSession(tx, member);
    if (text === undefined) await lockOwnDoor(tx, member, date);
    else await checkOwnDoor(context, tx, member, date);
    if ((await store.findPictureId(tx, date)) === undefined) throw refuse("M404");
    await store.updateOwnDoor(tx, date, {
      ...(text !== undefined && { text }),
      ...(is_hidden !== undefined && { is_hidden: Number(is_hidden) }),
    });
  });
  announceOwnDoors(context, member.id);
  if (date <= localDay(clock.now(), config.timeZone)) announceOpenDoors(context);
}

/** Changes what is behind a door if it is still the member's own and closed. */
async function changeOwnDoor(
  context: Context,
  member: Member,
  date: string,
  work: (tx: Db) => Promise<void>,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    await lockSession(tx, member);
    await checkOwnDoor(context, tx, member, date);
    await work(tx);
  });
  announceOwnDoors(context, member.id);
  announceManagedCalendar(context);
}

/** Refuses alike whatever is not the member's own; who may change a door stays so until the transaction ends. */
async function checkOwnDoor({ clock, config }: Context, db: Db, member: Member, date: string): Promise<void> {
  await lockOwnDoor(db, member, date);
  if (date <= localDay(clock.now(), config.timeZone)) throw refuse("M403begun");
}

async function lockOwnDoor(db: Db, { id }: Member, date: string): Promise<void> {
  if (!(await store.lockAssignment(db, date, id))) throw refuse("M403own");
}

/** Reminds members whose doors are empty and open soon; of every door twice at most, whichever instance does it. */
export async function remindOfEmptyDoors(context: Context): Promise<void> {
  const { db, clock, config } = context;
  const now = clock.now();
  if (!rules.isReminderTime(localTime(now, config.timeZone))) return;
  const today = localDay(now, config.timeZone);
  for (const { date, id, user_id, reminders } of await store.listAssignments(db, rules.nextCalendarYear(today))) {
    const due = rules.countDueReminders(date, today);
    if (id !== null || reminders >= due) continue;
    await notifyMember(context, user_id, {
      kind: "calendar",
      about: date,
      body: rules.reminderText(date, today),
      claim: () => store.updateReminders(db, date, user_id, due),
    });
  }
}

/** Decoding a photograph takes a second and up to 200 MB. */
const withPermit = createSemaphore(1);
const maxWaiting = 100;

/** The picture that is uploaded to this endpoint, as it will be stored, and the other fields. It is not decoded where `check` refuses. */
export async function receivePicture<E extends Endpoint>(
  context: Context,
  request: FastifyRequest,
  endpoint: E,
  check?: () => Promise<void>,
): Promise<{ picture: EncodedPicture; fields: FormOf<E> }> {
  return withUpload(context, request, endpoint, async (readForm) => {
    await check?.();
    return withPermit(maxWaiting, async () => {
      const { file, fields } = await readForm();
      const picture = await encodePicture(file);
      if (typeof picture === "string") throw refuseField("picture", pictureProblemTexts[picture]);
      return { picture, fields };
    });
  });
}

/** A picture as it is stored: for large screens and for phones. */
export interface EncodedPicture {
  readonly screen: Buffer;
  readonly phone: Buffer;
}

/** Encodes a picture in both sizes, upright and without metadata; returns the problem if it cannot be used. */
export async function encodePicture(file: Buffer): Promise<EncodedPicture | PictureProblem> {
  const { screen, phone } = calendarPictureWidths;
  const pictures = await shrinkPicture(file, [screen, phone]);
  return typeof pictures === "string" ? pictures : { screen: pictures[0]!, phone: pictures[1]! };
}

/** Replaces the pictures of a year by 24 others, in order. Doors that members opened stay open. */
export async function importYear(
  db: Db,
  year: number,
  pictures: readonly EncodedPicture[],
  change: Change,
): Promise<void> {
  const rows = rules.calendarDays(year).map((date, index) => ({ date, id: createPictureId(), ...pictures[index]! }));
  await inAdminChange(db, change.by, async (tx) => {
    for (const { user_id, date } of await store.listAssignments(tx, year))
      if (user_id !== change.by) await createNotice(tx, user_id, { kind: "taken-over", date }, change.at);
    await store.replaceYear(tx, year, rows);
    await createAuditEntry(tx, "calendar-imported", { year }, change);
  });
}

/** Deals the free doors of a year to the members; returns a sentence about it. */
export async function dealDoors(context: Context, year: number, change: Change): Promise<{ message: string }> {
  const { db, config } = context;
  const today = localDay(change.at, config.timeZone);
  const { message, members } = await inAdminChange(db, change.by, async (tx) => {
    const pictures = await store.listPictures(tx, year, today);
    const holders = await store.listHolders(tx, year);
    const free = findFreeDays(year, today, pictures, await store.listAssignments(tx, year));
    const dealt = rules.dealDoors(free, holders, randomInt);
    if (dealt.length > 0) {
      await store.replaceAssignments(tx, dealt);
      await createAuditEntry(tx, "calendar-doors-dealt", { year, doors: dealt.length }, change);
    }
    const having = new Set(dealt.map(({ user_id }) => user_id));
    const without = holders.filter(({ userId, doors }) => doors === 0 && !having.has(userId));
    return { message: rules.describeLottery(dealt.length, without.length), members: having };
  });
  announceManagedCalendar(context);
  for (const userId of members) announceOwnDoors(context, userId);
  return { message };
}

/** The days that a lottery deals: their doors are empty, closed, and nobody's or a disabled member's. */
function findFreeDays(
  year: number,
  today: string,
  pictures: readonly { date: string }[],
  assignments: readonly { date: string; disabled_at: number | null }[],
): string[] {
  const owned = assignments.filter(({ disabled_at }) => disabled_at === null);
  const taken = new Set([...pictures, ...owned].map(({ date }) => date));
  return rules.calendarDays(year).filter((date) => date > today && !taken.has(date));
}

/** What an administrator may know of a door and its picture. */
type DayDetails = Omit<ManagedCalendar["days"][number], "date" | "opened" | "owner">;

/** A year with the pictures behind all its doors, for administrators. Opens none of them. */
export async function findManagedCalendar(
  { db, clock, config }: Context,
  wanted: number | null,
  findDetails: (year: number) => Promise<(date: string) => DayDetails>,
): Promise<ManagedCalendar> {
  const today = localDay(clock.now(), config.timeZone);
  const current = Number(today.slice(0, 4));
  const year = wanted ?? rules.nextCalendarYear(today);
  const listed = await store.listPictures(db, year, today);
  const assignments = await store.listAssignments(db, year);
  const pictures = new Map(listed.map((picture) => [picture.date, picture]));
  const owners = new Map(assignments.map((one) => [one.date, one]));
  const years = new Set([...(await store.listYears(db, Number.POSITIVE_INFINITY)), current, current + 1, year]);
  const audio = await findAudio(db);
  const detailsOf = await findDetails(year);
  return {
    year,
    years: [...years].toSorted((one, other) => other - one),
    days: rules.calendarDays(year).map((date) => {
      const picture = pictures.get(date);
      const owner = owners.get(date);
      return {
        date,
        ...detailsOf(date),
        opened: picture?.opened ?? 0,
        owner: owner ? { id: owner.user_id, name: owner.name, avatarId: owner.avatar_id } : null,
      };
    }),
    free_doors: findFreeDays(year, today, listed, assignments).length,
    members: (await store.listHolders(db, year)).length,
    audio: audio ? { media: audio.media, size: audio.size } : null,
  };
}

/** 128 random bits, so that nobody can guess the address of a picture. */
export function createPictureId(): string {
  return randomBytes(16).toString("base64url");
}
