import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { FastifyRequest } from "fastify";

import type { ManagedCalendar } from "#contract/admin-calendar.ts";
import { lateDoorFilled } from "#contract/calendar-lottery-events.ts";
import * as contract from "#contract/christmas-calendar.ts";
import { type CalendarImage, calendarPictureWidths, type OpenedImages } from "#contract/christmas-calendar.ts";
import type { Endpoint } from "#contract/endpoint.ts";
import type { StoredFile } from "#server/db/bytes.ts";
import { type Db, inTransaction } from "#server/db/connect.ts";
import { lockSession } from "#server/features/auth/actions.ts";
import { inAdminChange } from "#server/features/members/actions.ts";
import { notifyMember } from "#server/features/notifications/actions.ts";
import { type Actor, createAuditEntry } from "#server/platform/audit/store.ts";
import type { Context } from "#server/platform/context.ts";
import type { Member } from "#server/platform/http/member.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import { withUpload } from "#server/platform/http/upload.ts";
import { localDay, localTime } from "#server/platform/local-day.ts";
import { type PictureProblem, pictureProblemTexts, shrinkPicture } from "#server/platform/picture.ts";
import { createSemaphore } from "#server/platform/semaphore.ts";
import { minutes } from "#server/time.ts";
import * as rules from "./rules.ts";
import * as store from "./store.ts";

/** The doors of `year`, by default of the current calendar; none of a future one, and of another one all or none. */
export async function findOpenedImages(
  { db, clock, config }: Context,
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
  return {
    images: isShown ? rules.calendarDays(wanted).map((date) => toImage(date, doors.get(date))) : [],
    year: wanted,
    years: await store.listYears(db, current),
    today,
    own_doors: rules.toOwnDoors(await store.listOwnAssignments(db, userId), today),
  };
}

/** A door as a member sees it; what is known of its picture, and of its absence, only if he or she has opened it. */
function toImage(date: string, door: store.Door | undefined): CalendarImage {
  if (!door?.isOpen) return { date, url: "" };
  const { id, by, opened, members } = door;
  const counts = { opened, members };
  if (id === null)
    return {
      date,
      url: rules.pictureUrl(rules.emptyDoorId(date)),
      is_empty: true,
      ...(by !== null && { late: by }),
      ...counts,
    };
  return { date, url: rules.pictureUrl(id), ...(by !== null && { by }), ...counts };
}

/** Opens a door for one member. */
export async function openDoor({ db, clock, config }: Context, userId: number, date: string): Promise<CalendarImage> {
  if (!rules.isDate(date)) throw refuseField("date", "V-in");
  if (!rules.isCalendarDay(date)) throw refuse("M404");
  const today = localDay(clock.now(), config.timeZone);
  if (date > today) throw refuse("M403door");
  if (!(await store.hasDoors(db, date.slice(0, 4)))) throw refuse("M404");
  await store.createOpening(db, { user_id: userId, date, opened_at: clock.now() });
  const [door] = await store.listDoors(db, userId, date, today);
  return toImage(date, door);
}

/** The drawings behind empty doors, read once. */
const emptyDoors = new Map<string, Promise<StoredFile>>();

/** A picture, if the member may see it; the drawings behind empty doors are for every member. */
export async function findPicture(
  { db, clock, config }: Context,
  id: string,
  memberId: number,
  size: store.PictureSize,
): Promise<StoredFile | undefined> {
  if (!rules.isEmptyDoorId(id))
    return store.findOpenedPicture(db, id, memberId, size, localDay(clock.now(), config.timeZone));
  const file = emptyDoors.get(id) ?? readDrawing(id);
  emptyDoors.set(id, file);
  return file;
}

async function readDrawing(id: string): Promise<StoredFile> {
  const bytes = await readFile(join(import.meta.dirname, "empty-doors", `${id}.webp`));
  return { size: bytes.length, tag: id, read: async ({ start, end }) => bytes.subarray(start, end + 1) };
}

/** Puts a picture behind a member's own door. */
export async function fillOwnDoor(
  context: Context,
  member: Member,
  date: string,
  request: FastifyRequest,
): Promise<void> {
  const picture = await receivePicture(context, request, contract.fillOwnDoor, () =>
    checkOwnDoor(context, context.db, member, date),
  );
  await changeOwnDoor(context, member, date, (tx) =>
    store.replacePicture(tx, { date, id: createPictureId(), ...picture }),
  );
  if (date <= localDay(context.clock.now(), context.config.timeZone))
    context.realtime.publish(lateDoorFilled.name, lateDoorFilled.channel, { date });
}

export async function emptyOwnDoor(context: Context, member: Member, date: string): Promise<void> {
  await changeOwnDoor(context, member, date, async (tx) => {
    if (!(await store.deletePicture(tx, date))) throw refuse("M404");
  });
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
}

/** Refuses every other door in the same way; locks the member's own one until the transaction ends. */
async function checkOwnDoor({ clock, config }: Context, db: Db, { id }: Member, date: string): Promise<void> {
  if (!(await store.lockAssignment(db, date, id))) throw refuse("M403own");
  const today = localDay(clock.now(), config.timeZone);
  if (!rules.canFill(date, today, (await store.findPictureId(db, date)) !== undefined)) throw refuse("M403begun");
}

/** Reminds members whose doors are empty and open soon: each member once for all doors, and of each door three times at most. */
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
    await notifyMember(context, userId, {
      kind: "calendar",
      about: dates.join(","),
      body: rules.reminderText(dates, today),
      async claim() {
        const claimed = [];
        for (const door of doors)
          claimed.push(await store.updateReminders(db, { date: door.date, userId, reminders: door.due }, "reminders"));
        return claimed.includes(true);
      },
    });
  }
}

/** Decoding a photograph takes a second and up to 200 MB. */
const withPermit = createSemaphore(1);
const maxWaiting = 100;

/** The picture that is uploaded to this endpoint, as it will be stored. It is not decoded where `check` refuses. */
export async function receivePicture(
  context: Context,
  request: FastifyRequest,
  endpoint: Endpoint,
  check?: () => Promise<void>,
): Promise<EncodedPicture> {
  return withUpload(context, request, endpoint, async (readUpload) => {
    await check?.();
    return withPermit(maxWaiting, async () => {
      const picture = await encodePicture(await readUpload());
      if (typeof picture === "string") throw refuseField("picture", pictureProblemTexts[picture]);
      return picture;
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

/** Who changes the calendar, and when: for the audit log. An upload may take a minute: who lost the permission meanwhile is refused. */
export interface Change {
  readonly by: Actor;
  readonly at: number;
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
    await store.replaceYear(tx, year, rows);
    await createAuditEntry(tx, "calendar-imported", { year }, change);
  });
}

/**
 * Puts a picture behind one door and returns its id. Members who opened that door see the new one. Another member's it is no longer:
 * the name would stand under a picture that is not hers or his.
 */
export async function setPicture(db: Db, date: string, picture: EncodedPicture, change: Change): Promise<string> {
  const id = createPictureId();
  await inAdminChange(db, change.by, async (tx) => {
    await store.deleteAssignment(tx, date, change.by);
    await store.replacePicture(tx, { date, id, ...picture });
    await createAuditEntry(tx, "calendar-picture-hung", { date }, change);
  });
  return id;
}

/** Moves the picture of `date`, and the member who fills that door, to the door of `to`; what is there takes their place. */
export async function movePicture(db: Db, date: string, to: string, change: Change): Promise<void> {
  await inAdminChange(db, change.by, async (tx) => {
    if ((await store.findPictureId(tx, date)) === undefined) throw refuse("M404");
    if (date === to) return;
    await store.swapDoors(tx, date, to);
    await createAuditEntry(tx, "calendar-picture-moved", { date, to }, change);
  });
}

export async function removePicture(db: Db, date: string, change: Change): Promise<void> {
  await inAdminChange(db, change.by, async (tx) => {
    if (!(await store.deletePicture(tx, date))) throw refuse("M404");
    await createAuditEntry(tx, "calendar-picture-removed", { date }, change);
  });
}

/** Plays this file from now on; refused if it is no audio file. */
export async function setAudio(db: Db, bytes: Buffer, change: Change): Promise<void> {
  const media = rules.detectAudioType(bytes);
  if (media === null) throw refuseField("audio", "V-sound");
  await inAdminChange(db, change.by, async (tx) => {
    await store.replaceAudio(tx, { id: createPictureId(), media, bytes, size: bytes.length });
    await createAuditEntry(tx, "calendar-audio-changed", {}, change);
  });
}

/** Plays the built-in carol again. */
export async function removeAudio(db: Db, change: Change): Promise<void> {
  await inAdminChange(db, change.by, async (tx) => {
    if (await store.deleteAudio(tx)) await createAuditEntry(tx, "calendar-audio-removed", {}, change);
  });
}

/** Takes a door back from the member who fills it; the picture stays. */
export async function takeDoorBack(db: Db, date: string, change: Change): Promise<void> {
  await inAdminChange(db, change.by, async (tx) => {
    const memberId = await store.deleteAssignment(tx, date, null);
    if (memberId === undefined) throw refuse("M404");
    await createAuditEntry(tx, "calendar-door-taken-back", { date }, { ...change, memberId });
  });
}

/** A year with the pictures behind all its doors, for administrators. Opens none of them. */
export async function findManagedCalendar(
  { db, clock, config }: Context,
  wanted: number | null,
): Promise<ManagedCalendar> {
  const today = localDay(clock.now(), config.timeZone);
  const current = Number(today.slice(0, 4));
  const year = wanted ?? rules.nextCalendarYear(today);
  const listed = await store.listPictures(db, year, today);
  const assignments = await store.listAssignments(db, year);
  const pictures = new Map(listed.map((picture) => [picture.date, picture]));
  const owners = new Map(assignments.map((one) => [one.date, one]));
  const years = new Set([...(await store.listYears(db, Number.POSITIVE_INFINITY)), current, current + 1, year]);
  const audio = await store.findAudio(db);
  return {
    year,
    years: [...years].toSorted((one, other) => other - one),
    days: rules.calendarDays(year).map((date) => {
      const picture = pictures.get(date);
      const owner = owners.get(date);
      return {
        date,
        preview: picture ? rules.previewUrl(picture.id) : null,
        opened: picture?.opened ?? 0,
        owner: owner ? { id: owner.user_id, name: owner.name, avatarId: owner.avatar_id } : null,
      };
    }),
    free_doors: rules.findFreeDays(year, today, listed, assignments).length,
    members: (await store.listHolders(db, year)).length,
    audio: audio ? { media: audio.media, size: audio.size } : null,
  };
}

/** Audio to send. */
export interface Audio extends StoredFile {
  readonly media: string;
}

/** How long the operator's audio stays in memory after it was asked for. */
const audioLifetimeMs = minutes(1);

/**
 * Returns the function that finds the current audio: the operator's, or else the built-in carol. Both are in memory once for all
 * who listen: SQLite reads a row of 20 MB as a whole, whichever part of it is wanted.
 */
export function createAudioSource(db: Db): () => Promise<Audio> {
  let loaded: { readonly id: string | undefined; readonly file: Promise<LoadedAudio> } | undefined;
  let forgetting: NodeJS.Timeout | undefined;

  function forget(): void {
    loaded = undefined;
  }

  return async () => {
    const chosen = await store.findAudio(db);
    if (loaded?.id !== chosen?.id || !loaded) loaded = { id: chosen?.id, file: loadAudio(db, chosen?.id) };
    clearTimeout(forgetting);
    forgetting = setTimeout(forget, audioLifetimeMs).unref();
    const { bytes, tag } = await loaded.file.catch((error: unknown) => {
      forget();
      throw error;
    });
    return {
      media: chosen?.media ?? "audio/mpeg",
      size: bytes.length,
      tag,
      read: async ({ start, end }) => bytes.subarray(start, end + 1),
    };
  };
}

interface LoadedAudio {
  readonly bytes: Buffer;
  readonly tag: string;
}

/** The built-in carol without an id. */
async function loadAudio(db: Db, id: string | undefined): Promise<LoadedAudio> {
  if (id !== undefined) return { bytes: await store.findAudioBytes(db, id), tag: id };
  const bytes = await readFile(join(import.meta.dirname, "carol.mp3"));
  return { bytes, tag: createHash("sha256").update(bytes).digest("base64url").slice(0, 22) };
}

/** 128 random bits, so that nobody can guess the address of a picture. */
export function createPictureId(): string {
  return randomBytes(16).toString("base64url");
}
