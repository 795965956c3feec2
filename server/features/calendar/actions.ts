import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { ManagedCalendar } from "#contract/calendar-doors.ts";
import type * as contract from "#contract/christmas-calendar.ts";
import {
  type CalendarImage,
  calendarPictureWidths,
  type OpenedImages,
  type OwnDoor,
  dayNumber,
} from "#contract/christmas-calendar.ts";
import type { BodyOf, Endpoint, FormOf } from "#contract/endpoint.ts";
import type { StoredFile } from "#server/db/bytes.ts";
import type { Db } from "#server/db/connect.ts";
import * as beerStore from "#server/features/beers/store.ts";
import { changeAsAdmin } from "#server/features/members/actions.ts";
import { lockSession } from "#server/features/members/session-actions.ts";
import type { Change } from "#server/platform/audit/store.ts";
import { change } from "#server/platform/change.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import type { ReceiveUpload } from "#server/platform/http/upload.ts";
import { createSemaphore } from "#server/platform/jobs/semaphore.ts";
import { localDay, localTime } from "#server/platform/local-day.ts";
import type { PictureProblem } from "#server/platform/pictures/picture-worker.ts";
import { pictureProblemTexts, shrinkPicture } from "#server/platform/pictures/picture.ts";
import * as musicStore from "./music-store.ts";
import {
  announceManagedCalendar,
  announceOpenDoors,
  announceOwnDoors,
  createNotice,
  listNotices,
} from "./notice-actions.ts";
import * as removals from "./removal-store.ts";
import * as rules from "./rules.ts";
import * as store from "./store.ts";

/** `year` `null` is the current calendar. A year without a calendar, e.g. a future one, has no doors. */
export async function findOpenedImages(
  { db, clock, config }: Pick<Context, "db" | "clock" | "config">,
  userId: number,
  year: number | null,
): Promise<OpenedImages> {
  const today = localDay(clock.now(), config.timeZone);
  const current = rules.shownCalendarYear(today);
  const wanted = year ?? current;
  const isShown = wanted <= current && (await store.hasDoors(db, String(wanted)));
  const doors = new Map(
    isShown ? (await store.listDoors(db, userId, `${wanted}-%`, today)).map((door) => [door.date, door]) : [],
  );
  const assignments = await store.listOwnAssignments(db, userId);
  return {
    images: isShown ? rules.calendarDays(wanted).map((date) => toImage(date, doors.get(date))) : [],
    year: wanted,
    years: await store.listYears(db, current),
    today,
    own_doors: await listFillableDoors({ db, clock }, assignments, today),
    begun_doors: assignments
      .filter(({ date, id }) => date.startsWith(`${wanted}-`) && date <= today && id !== null)
      .map((door) => rules.toOwnDoor(door, false)),
    notices: await listNotices(db, userId),
  };
}

type OwnAssignment = Awaited<ReturnType<typeof store.listOwnAssignments>>[number];

/** Returns the doors that the member may still fill or change. */
export async function listFillableDoors(
  { db, clock }: Pick<Context, "db" | "clock">,
  assignments: readonly OwnAssignment[],
  today: string,
): Promise<OwnDoor[]> {
  const year = rules.nextCalendarYear(today);
  const since = clock.now() - rules.restorableMs;
  const restorable = new Set(await removals.listRestorable(db, year, { isByOwner: true }, since));
  return assignments
    .filter(({ date, id }) => date.slice(0, 4) <= String(year) && rules.canFill(date, today, id !== null))
    .map((door) => rules.toOwnDoor(door, restorable.has(door.date)));
}

/** Reveals the picture, or the lack of one, only if the member has opened the door. */
function toImage(date: string, door: store.Door | undefined): CalendarImage {
  if (!door?.isOpen) return { date, url: "" };
  const { id, by, late, text, opened, members } = door;
  const counts = { opened, members };
  if (id === null) {
    const url = rules.pictureUrl(rules.emptyDoorId(date));
    return { date, url, is_empty: true, ...(late !== null && { late }), ...counts };
  }
  const words = { ...(by !== null && { by }), ...(text !== null && { text }) };
  return { date, url: rules.pictureUrl(id), ...words, ...counts };
}

/** Opens the door for this member only. */
export async function openDoor(context: Context, userId: number, date: string): Promise<CalendarImage> {
  const { db, clock, config } = context;
  if (!rules.isDate(date)) throw refuseField("date", "invalid");
  if (!rules.isCalendarDay(date)) throw refuse("notFound");
  const today = localDay(clock.now(), config.timeZone);
  if (date > today) throw refuse("calendarDoorClosed");
  if (!(await store.hasDoors(db, date.slice(0, 4)))) throw refuse("notFound");
  const opening = { user_id: userId, date, opened_at: clock.now() };
  await change(context, userId, async (tx, say) => {
    // Simultaneous openings wait, so that only one of them is the first.
    await beerStore.lockGroupTotal(tx);
    if (!(await store.createOpening(tx, opening))) return;
    await announceOpenDoors(say);
    await announceManagedCalendar(say);
    if (date !== today) return;
    await announceOwnDoors(say, userId);
    if (await store.isOnlyOpening(tx, opening)) await say.webhook({ event: "calendar-door", date, userId });
  });
  const [door] = await store.listDoors(db, userId, date, today);
  return toImage(date, door);
}

/** Drawings by id, cached after the first read. */
const emptyDoors = new Map<string, StoredFile>();

/** Every member may see the drawings of empty doors. */
export async function findPicture(
  { db, clock, config }: Pick<Context, "db" | "clock" | "config">,
  id: string,
  memberId: number,
  size: store.PictureSize,
): Promise<StoredFile | undefined> {
  if (!rules.isEmptyDoorId(id))
    return store.findOpenedPicture(db, id, memberId, size, localDay(clock.now(), config.timeZone));
  const file = emptyDoors.get(id) ?? (await readDrawing(id));
  emptyDoors.set(id, file);
  return file;
}

async function readDrawing(id: string): Promise<StoredFile> {
  const bytes = await readFile(join(import.meta.dirname, "empty-doors", `${id}.webp`));
  return { size: bytes.length, tag: id, read: async ({ start, end }) => bytes.subarray(start, end + 1) };
}

export async function fillOwnDoor(
  context: Context,
  member: Member,
  date: string,
  receive: ReceiveUpload<typeof contract.fillOwnDoor>,
): Promise<void> {
  const { picture, fields } = await receivePicture(receive, () => checkOwnDoor(context, context.db, member, date));
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
    if (!isRemoved) throw refuse("notFound");
  });
}

export async function restoreOwnDoor(context: Context, member: Member, date: string): Promise<void> {
  await changeOwnDoor(context, member, date, async (tx) => {
    if ((await store.findPictureId(tx, date)) !== undefined) throw refuse("doorFilled", { door: dayNumber(date) });
    const since = context.clock.now() - rules.restorableMs;
    const removed = await removals.findRemoved(tx, date, { isByOwner: true }, since);
    if (removed?.owner_id !== member.id) throw refuse("pictureGone");
    await removals.restorePicture(tx, removed.id);
  });
}

/** `text` can change until the door's day begins, `is_hidden` at any time. */
export async function changeOwnDoorDetails(
  context: Context,
  member: Member,
  date: string,
  { text, is_hidden }: BodyOf<typeof contract.changeOwnDoor>,
): Promise<void> {
  const { clock, config } = context;
  await change(context, member.id, async (tx, say) => {
    await lockSession(tx, member);
    if (text === undefined) await lockOwnDoor(tx, member, date);
    else await checkOwnDoor(context, tx, member, date);
    if ((await store.findPictureId(tx, date)) === undefined) throw refuse("notFound");
    await store.updateOwnDoor(tx, date, {
      ...(text !== undefined && { text }),
      ...(is_hidden !== undefined && { is_hidden: Number(is_hidden) }),
    });
    await announceOwnDoors(say, member.id);
    if (date <= localDay(clock.now(), config.timeZone)) await announceOpenDoors(say);
  });
}

/** Refuses a door of another member, and a filled door whose day has begun. */
async function changeOwnDoor(
  context: Context,
  member: Member,
  date: string,
  work: (tx: Db) => Promise<void>,
): Promise<void> {
  await change(context, member.id, async (tx, say) => {
    await lockSession(tx, member);
    await checkOwnDoor(context, tx, member, date);
    await work(tx);
    await announceOwnDoors(say, member.id);
    await announceManagedCalendar(say);
    if (date <= localDay(context.clock.now(), context.config.timeZone)) await announceOpenDoors(say);
  });
}

/** Locks the door until the transaction ends. Refuses every other door with the same error, which reveals nothing. */
async function checkOwnDoor(
  { clock, config }: Pick<Context, "clock" | "config">,
  db: Db,
  member: Member,
  date: string,
): Promise<void> {
  await lockOwnDoor(db, member, date);
  const today = localDay(clock.now(), config.timeZone);
  if (!rules.canFill(date, today, (await store.findPictureId(db, date)) !== undefined)) throw refuse("doorDayBegun");
}

async function lockOwnDoor(db: Db, { id }: Member, date: string): Promise<void> {
  if (!(await store.lockAssignment(db, date, id))) throw refuse("notYourDoor");
}

/** Reminds at most three times per door, with one push for all doors of a member. */
export async function remindOfEmptyDoors(context: Context): Promise<void> {
  const { db, clock, config } = context;
  const now = clock.now();
  if (!rules.isReminderTime(localTime(now, config.timeZone))) return;
  const today = localDay(now, config.timeZone);
  const overdue = (await store.listAssignments(db, rules.nextCalendarYear(today)))
    .map((door) => ({ ...door, due: rules.countDueReminders(door.date, today) }))
    .filter(({ id, reminders, due }) => id === null && reminders < due);
  for (const [userId, doors] of Map.groupBy(overdue, ({ user_id }) => user_id)) {
    const dates = doors.map(({ date }) => date);
    await change(context, null, (tx, say) =>
      say.push({
        kind: "calendar",
        to: userId,
        senderId: null,
        about: dates.join(","),
        body: rules.reminderText(dates, today),
        async claim() {
          const claimed = [];
          for (const { date, due } of doors)
            claimed.push(await store.updateReminders(tx, { date, userId, reminders: due }, "reminders"));
          return claimed.includes(true);
        },
      }),
    );
  }
}

/** Decodes one picture at a time: a photograph takes a second and up to 200 MB. */
const withPermit = createSemaphore(1);
const maxWaiting = 100;

/** Calls `check` before decoding the picture, and refuses the upload if `check` throws. */
export async function receivePicture<E extends Endpoint>(
  receive: ReceiveUpload<E>,
  check?: () => Promise<void>,
): Promise<{ picture: EncodedPicture; fields: FormOf<E> }> {
  return receive(async (readForm) => {
    await check?.();
    return withPermit(maxWaiting, async () => {
      const { read, fields } = await readForm();
      const picture = await encodePicture(await read());
      if (typeof picture === "string") throw refuseField("picture", pictureProblemTexts[picture]);
      return { picture, fields };
    });
  });
}

export interface EncodedPicture {
  readonly screen: Buffer;
  readonly phone: Buffer;
}

/** Encodes both sizes upright and without metadata; returns the problem if the file is not usable. */
export async function encodePicture(file: Buffer): Promise<EncodedPicture | PictureProblem> {
  const { screen, phone } = calendarPictureWidths;
  const pictures = await shrinkPicture(file, [screen, phone]);
  return typeof pictures === "string" ? pictures : { screen: pictures[0]!, phone: pictures[1]! };
}

/** Replaces the pictures of a year. Doors that members have opened remain open. */
export async function importYear(
  context: Pick<Context, "db" | "say">,
  year: number,
  pictures: readonly EncodedPicture[],
  { by, at }: Change,
): Promise<void> {
  const rows = rules.calendarDays(year).map((date, index) => ({ date, id: createPictureId(), ...pictures[index]! }));
  await changeAsAdmin(context, by, async (tx, say) => {
    for (const { user_id, date } of await store.listAssignments(tx, year))
      if (user_id !== by) await createNotice(tx, say, user_id, { kind: "taken-over", date }, at);
    await store.replaceYear(tx, year, rows);
    await say.audit("calendar-imported", { year });
  });
}

type DayDetails = Omit<ManagedCalendar["days"][number], "date" | "opened">;

/** Shows an administrator all doors without opening them. */
export async function findManagedCalendar(
  { db, clock, config }: Pick<Context, "db" | "clock" | "config">,
  wanted: number | null,
  isSurprised: boolean,
  findDetails: (year: number) => Promise<(date: string) => DayDetails>,
): Promise<ManagedCalendar> {
  const today = localDay(clock.now(), config.timeZone);
  const current = Number(today.slice(0, 4));
  const year = wanted ?? rules.nextCalendarYear(today);
  const listed = await store.listPictures(db, year, today);
  const assignments = await store.listAssignments(db, year);
  const pictures = new Map(listed.map((picture) => [picture.date, picture]));
  const years = new Set([...(await store.listYears(db, Number.POSITIVE_INFINITY)), current, current + 1, year]);
  const audio = await musicStore.findAudio(db);
  const detailsOf = await findDetails(year);
  return {
    year,
    years: [...years].toSorted((one, other) => other - one),
    days: rules.calendarDays(year).map((date) => {
      const picture = pictures.get(date);
      return { date, ...detailsOf(date), opened: picture?.opened ?? 0 };
    }),
    is_surprised: isSurprised,
    free_doors: rules.findFreeDays(year, today, listed, assignments).length,
    members: (await store.countDoorsByMember(db, year)).length,
    audio: audio ? { media: audio.media, size: audio.size } : null,
  };
}

/** Returns 128 random bits, so that picture URLs cannot be guessed. */
export function createPictureId(): string {
  return randomBytes(16).toString("base64url");
}
