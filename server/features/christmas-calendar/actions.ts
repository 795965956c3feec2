import { createHash, randomBytes, randomInt } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { FastifyRequest } from "fastify";

import type { ManagedCalendar } from "#contract/admin-calendar.ts";
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

/** The doors of `year`, by default of the current calendar; none of a future one. */
export async function findOpenedImages(
  { db, clock, config }: Context,
  userId: number,
  year: number | null,
): Promise<OpenedImages> {
  const today = localDay(clock.now(), config.timeZone);
  const current = rules.shownCalendarYear(today);
  const wanted = year ?? current;
  const doors = wanted > current ? [] : await store.listDoors(db, userId, `${wanted}-%`, today);
  const upcoming = (await store.listAssignments(db, rules.nextCalendarYear(today))).filter(({ date }) => date > today);
  // Shown like the others, so that nobody sees whose picture has just come.
  const empty = upcoming.filter(({ date, id }) => id === null && date.startsWith(`${wanted}-`) && wanted <= current);
  const images: CalendarImage[] = [...doors.map(toImage), ...empty.map(({ date }) => ({ date, url: "" }))];
  return {
    images: images.toSorted((one, other) => (one.date < other.date ? -1 : 1)),
    year: wanted,
    years: await store.listYears(db, current),
    today,
    own_doors: upcoming
      .filter(({ user_id }) => user_id === userId)
      .map(({ date, id }) => ({ date, picture: id === null ? null : rules.pictureUrl(id) })),
  };
}

/** A door as a member sees it; what is known of its picture only if he or she has opened it. */
function toImage({ date, id, isOpen, by, opened, members }: store.Door): CalendarImage {
  return isOpen ? { date, url: rules.pictureUrl(id), ...(by !== null && { by }), opened, members } : { date, url: "" };
}

/** Opens a door for one member. */
export async function openDoor({ db, clock, config }: Context, userId: number, date: string): Promise<CalendarImage> {
  if (!rules.isDate(date)) throw refuseField("date", "V-in");
  if (!rules.isCalendarDay(date)) throw refuse("M404");
  const today = localDay(clock.now(), config.timeZone);
  if (date > today) throw refuse("M403door");
  if ((await store.findPictureId(db, date)) === undefined) throw refuse("M404");
  await store.createOpening(db, { user_id: userId, date, opened_at: clock.now() });
  const [door] = await store.listDoors(db, userId, date, today);
  // It may have been taken down just now.
  if (!door) throw refuse("M404");
  return toImage(door);
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

/** Refuses alike whatever is not the member's own; who may change a door stays so until the transaction ends. */
async function checkOwnDoor({ clock, config }: Context, db: Db, { id }: Member, date: string): Promise<void> {
  if (!(await store.lockAssignment(db, date, id))) throw refuse("M403own");
  if (date <= localDay(clock.now(), config.timeZone)) throw refuse("M403begun");
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

/** The picture that is uploaded to this endpoint, as it will be stored. It is not decoded where `check` refuses. */
export async function receivePicture(
  context: Context,
  request: FastifyRequest,
  endpoint: Endpoint,
  check?: () => Promise<void>,
): Promise<EncodedPicture> {
  return withUpload(context, request, endpoint, async (readForm) => {
    await check?.();
    return withPermit(maxWaiting, async () => {
      const picture = await encodePicture((await readForm()).file);
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

/** Deals the free doors of a year to the members; returns a sentence about it. */
export async function dealDoors({ db, config }: Context, year: number, change: Change): Promise<{ message: string }> {
  const today = localDay(change.at, config.timeZone);
  return inAdminChange(db, change.by, async (tx) => {
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
    return { message: rules.describeLottery(dealt.length, without.length) };
  });
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
    free_doors: findFreeDays(year, today, listed, assignments).length,
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
function createPictureId(): string {
  return randomBytes(16).toString("base64url");
}
