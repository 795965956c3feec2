import { randomBytes, randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

import sharp from "sharp";

import type { Db } from "#server/db/connect.ts";
import { inTransaction } from "#server/db/connect.ts";
import { bookBeers, type Tap } from "#server/features/beercounter/actions.ts";
import { addDays, weekdayOf } from "#server/features/beercounter/rules.ts";
import { encodePicture, type EncodedPicture, importYear } from "#server/features/christmas-calendar/actions.ts";
import { calendarDays } from "#server/features/christmas-calendar/rules.ts";
import { addGameServer } from "#server/features/game-servers/actions.ts";
import { insertPicture, insertUser, updateAvatar } from "#server/features/members/store.ts";
import { localDay } from "#server/platform/local-day.ts";
import { hashPassword } from "#server/platform/passwords.ts";
import { demoUsers, drawPortrait, drawDrinkingMinutes, createRng, type DemoUser } from "./rules.ts";

const historyDays = 2 * 365;
const batchSize = 1000;
const dayMs = 24 * 60 * 60_000;

export interface DemoMember extends DemoUser {
  readonly id: number;
  readonly password: string;
}

/** Seats the regulars, each with a password of his or her own that is told once. */
export async function seedMembers(db: Db, now: number): Promise<DemoMember[]> {
  const members: DemoMember[] = [];
  for (const user of demoUsers) {
    const { uname, name, email, permissions, portrait } = user;
    const password = generatePassword();
    const password_hash = await hashPassword(password);
    const png =
      portrait &&
      (await sharp(Buffer.from(drawPortrait(portrait)))
        .png()
        .toBuffer());
    const id = await inTransaction(db, async (tx) => {
      const userId = await insertUser(tx, {
        uname,
        name,
        email,
        permissions,
        password_hash,
        created_at: now - historyDays * dayMs,
      });
      if (png) {
        const picture = randomBytes(16).toString("base64url");
        await insertPicture(tx, { id: picture, user_id: userId, png, created_at: now });
        await updateAvatar(tx, userId, picture);
      }
      return userId;
    });
    members.push({ ...user, id, password });
  }
  return members;
}

const syllables = ["ma", "lo", "ki", "ru", "se", "to", "bi", "na", "fu", "ge", "do", "pa", "wi", "zu", "he", "la"];

/** Sayable and long enough, e.g. `kiruse-topani-4711`. */
function generatePassword(): string {
  const word = () => Array.from({ length: 3 }, () => syllables[randomInt(syllables.length)]).join("");
  return `${word()}-${word()}-${randomInt(1000, 9999)}`;
}

/** Books two years of evenings up to now; with `exactly`, that many beers: cut short, or poured again from the start. Returns how many. */
export async function seedBeers(
  db: Db,
  members: readonly DemoMember[],
  now: number,
  timeZone: string,
  exactly: number | null,
): Promise<number> {
  const evenings = generateTaps(members, now, timeZone);
  const wanted = exactly ?? evenings.length;
  for (let from = 0; from < wanted; from += batchSize) {
    const size = Math.min(batchSize, wanted - from);
    // The list once round after the other: the same evenings, only fuller.
    const taps = Array.from({ length: size }, (_, index) => evenings[(from + index) % evenings.length]!);
    await inTransaction(db, (tx) => bookBeers(tx, taps, timeZone));
    await nextTurn();
  }
  return wanted;
}

function generateTaps(members: readonly DemoMember[], now: number, timeZone: string): Tap[] {
  const rng = createRng(1516);
  const today = localDay(now, timeZone);
  const taps: Tap[] = [];
  for (let back = historyDays; back >= 0; back--) {
    const day = addDays(today, -back);
    const midnight = localMidnight(day, timeZone);
    const month = Number(day.slice(5, 7)) - 1;
    for (const { id, rate } of members) {
      for (const minutes of drawDrinkingMinutes(weekdayOf(day), month, rate, rng)) {
        const at = midnight + minutes * 60_000;
        if (at < now) taps.push({ userId: id, key: null, at });
      }
    }
  }
  return taps.toSorted((one, other) => one.at - other.at);
}

/** The moment (epoch ms) a day begins in `timeZone`, exact but for days that begin with a change of the clock. */
function localMidnight(day: string, timeZone: string): number {
  const utc = Date.parse(`${day}T00:00:00Z`);
  const hours = Array.from({ length: 27 }, (_, hour) => utc - 14 * 3_600_000 + hour * 3_600_000);
  return hours.find((at) => localDay(at, timeZone) === day) ?? utc;
}

/** Puts our own drawings behind the doors of this year and the last, which the archive shows. */
export async function seedCalendar(db: Db, now: number, timeZone: string): Promise<void> {
  const year = Number(localDay(now, timeZone).slice(0, 4));
  const pictures: EncodedPicture[] = [];
  for (const day of calendarDays(year)) {
    const file = join(import.meta.dirname, "calendar", `${day.slice(-2)}.webp`);
    pictures.push(await encodePicture(readFileSync(file)));
  }
  await importYear(db, year - 1, shuffled(pictures), { by: null, at: now });
  await importYear(db, year, pictures, { by: null, at: now });
}

/** Jokes about a date stay on it: the first door, Saint Nicholas, half-time, the shortest day, Christmas Eve. */
const fixedDays = new Set([1, 6, 12, 21, 24]);

/** Another order: the pictures that fit on any day change places, first with last. */
function shuffled(pictures: readonly EncodedPicture[]): EncodedPicture[] {
  const free = pictures.filter((_, index) => !fixedDays.has(index + 1));
  return pictures.map((picture, index) => (fixedDays.has(index + 1) ? picture : free.pop()!));
}

const idleStopMinutes = 20;

/** Three servers that really start and stop, each a program of ours that answers who plays. The last one stops when it is empty. */
export async function seedGameServers(context: Parameters<typeof addGameServer>[0]): Promise<void> {
  // Below the ports that systems hand out by themselves, and another one for every demo.
  const firstPort = randomInt(20_000, 30_000);
  const evenings = [
    { display_name: "Minecraft – die alte Welt", players: ["Emil", "Frieda", "Greta"] },
    { display_name: "OpenArena am Freitag", players: ["Ben", "Carla"] },
    { display_name: "Teeworlds", players: [] },
  ];
  const program = join(import.meta.dirname, "game-server.ts");
  for (const [index, { display_name, players }] of evenings.entries()) {
    const port = firstPort + index;
    const argv = [process.execPath, program, String(port), ...players];
    await addGameServer(context, {
      ...{ display_name, driver: "command", ref: JSON.stringify({ argv, cwd: null, stopSignal: null }) },
      ...{ address: `localhost:${port}`, query: "quake3", grace_seconds: 10 },
      idle_stop_minutes: players.length === 0 ? idleStopMinutes : null,
    });
  }
}
