import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Sharp } from "sharp";

import type { ManagedCalendar } from "#contract/admin-calendar.ts";
import { calendarPictureWidths, type OpenedImages } from "#contract/christmas-calendar.ts";
import type { StoredFile } from "#server/db/bytes.ts";
import type { Db } from "#server/db/connect.ts";
import { inAdminChange } from "#server/features/members/actions.ts";
import { type Actor, createAuditEntry } from "#server/platform/audit/store.ts";
import type { Context } from "#server/platform/context.ts";
import { refuse, refuseField } from "#server/platform/http/refusal.ts";
import { localDay } from "#server/platform/local-day.ts";
import { loadSharp } from "#server/platform/picture.ts";
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
  const doors = wanted > current ? [] : await store.listDoors(db, userId, wanted);
  return {
    images: doors.map(({ date, id }) => ({ date, url: id === null ? "" : rules.pictureUrl(id) })),
    year: wanted,
    years: await store.listYears(db, current),
    today,
  };
}

/** Opens a door for one member and returns the address of its picture. */
export async function openDoor({ db, clock, config }: Context, userId: number, date: string): Promise<{ url: string }> {
  if (!rules.isDate(date)) throw refuseField("date", "V-in");
  if (!rules.isCalendarDay(date)) throw refuse("M404");
  if (date > localDay(clock.now(), config.timeZone)) throw refuse("M403door");
  const id = await store.findPictureId(db, date);
  if (id === undefined) throw refuse("M404");
  await store.createOpening(db, { user_id: userId, date, opened_at: clock.now() });
  return { url: rules.pictureUrl(id) };
}

/** A picture as it is stored: for large screens and for phones. */
export interface EncodedPicture {
  readonly screen: Buffer;
  readonly phone: Buffer;
}

/** A file is not a picture that the calendar accepts. */
export class InvalidPictureError extends Error {
  /** It has more pixels than are decoded. */
  get isTooLarge(): boolean {
    return /pixel limit/.test(this.message);
  }
}

const maxPixels = 60_000_000;
/** Interlaced PNGs and progressive JPEGs are decoded as a whole; others line by line. */
const maxDecodedBytes = 64 * 1024 * 1024;
const encodingSeconds = 30;

/** Decodes a picture and encodes it in both sizes, upright and without metadata. */
export async function encodePicture(bytes: Buffer): Promise<EncodedPicture> {
  // Checked by the first bytes, so that no other decoder ever gets the file.
  if (!rules.isPicture(bytes)) throw new InvalidPictureError("it is neither JPEG nor PNG");
  const sharp = await loadSharp();
  const picture = sharp(bytes, { limitInputPixels: maxPixels, failOn: "error" });
  try {
    const { isProgressive, width, height, channels, depth } = await picture.metadata();
    const decodedBytes = width * height * channels * (depth === "uchar" ? 1 : 2);
    if (isProgressive && decodedBytes > maxDecodedBytes) throw new Error("it exceeds the pixel limit");
    // One after the other: each decodes the picture in memory of its own.
    const screen = await shrink(picture, calendarPictureWidths.screen);
    return { screen, phone: await shrink(picture, calendarPictureWidths.phone) };
  } catch (error) {
    throw new InvalidPictureError((error as Error).message.split("\n")[0]);
  }
}

function shrink(picture: Sharp, width: number): Promise<Buffer> {
  return picture
    .clone()
    .autoOrient()
    .resize({ width, height: width * 2, fit: "inside", withoutEnlargement: true })
    .webp({ quality: 82, effort: 3 })
    .timeout({ seconds: encodingSeconds })
    .toBuffer();
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

/** Puts a picture behind one door and returns its id. Members who opened that door see the new one. */
export async function setPicture(db: Db, date: string, picture: EncodedPicture, change: Change): Promise<string> {
  const id = createPictureId();
  await inAdminChange(db, change.by, async (tx) => {
    await store.replacePicture(tx, { date, id, ...picture });
    await createAuditEntry(tx, "calendar-picture-hung", { date }, change);
  });
  return id;
}

/** Moves the picture of `date` to the door of `to`; a picture there takes its place. */
export async function movePicture(db: Db, date: string, to: string, change: Change): Promise<void> {
  await inAdminChange(db, change.by, async (tx) => {
    if ((await store.findPictureId(tx, date)) === undefined) throw refuse("M404");
    if (date === to) return;
    await store.swapPictures(tx, date, to);
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

/** A year with the pictures behind all its doors, for administrators. Opens none of them. */
export async function findManagedCalendar(
  { db, clock, config }: Context,
  wanted: number | null,
): Promise<ManagedCalendar> {
  const today = localDay(clock.now(), config.timeZone);
  const current = Number(today.slice(0, 4));
  const year = wanted ?? rules.nextCalendarYear(today);
  const pictures = new Map((await store.listPictures(db, year)).map((picture) => [picture.date, picture]));
  const years = new Set([...(await store.listYears(db, Number.POSITIVE_INFINITY)), current, current + 1, year]);
  const audio = await store.findAudio(db);
  return {
    year,
    years: [...years].toSorted((one, other) => other - one),
    days: rules.calendarDays(year).map((date) => {
      const picture = pictures.get(date);
      return { date, preview: picture ? rules.previewUrl(picture.id) : null, opened: picture?.opened ?? 0 };
    }),
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
