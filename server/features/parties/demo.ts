import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Insertable } from "kysely";

import { type Db, inTransaction } from "#server/db/connect.ts";
import type { Tables } from "#server/db/schema.ts";
import { bookBeers } from "#server/features/beers/actions.ts";
import { addDays, weekdayOf } from "#server/features/beers/rules.ts";
import { createPictureId } from "#server/features/calendar/actions.ts";
import type { DemoMember, DemoSeed } from "#server/platform/demo-seed.ts";
import { hours, minutes, toIso } from "#server/time.ts";
import * as guestStore from "./guest-store.ts";
import { replacePhoto } from "./photo-store.ts";
import { findAutomaticEnd } from "./rules.ts";
import * as store from "./store.ts";

export const seedDemo: DemoSeed = async (seed) => {
  await seedPastParty(seed);
  return seedRunningParty(seed);
};

/** An ended party on the last Saturday before this week, without Greta and Hannes. */
const seedPastParty: DemoSeed = async ({ db, clock, members }) => {
  const today = toIso(clock.now()).slice(0, 10);
  const saturday = addDays(today, -weekdayOf(today) - 2);
  const starts_at = Date.parse(`${saturday}T16:00:00Z`);
  const ben = findMember(members, "ben");
  const ends_at = starts_at + hours(7);
  const id = await store.createParty(db, {
    name: "Grillen bei Ben",
    created_by: ben.id,
    starts_at,
    ends_at,
    is_ended_early: 1,
    is_end_told: 1,
  });
  for (const member of members.slice(0, 6)) await store.createStay(db, id, member.id, 0);
  // The end of a party deletes the names of its guests.
  await seedGuest(db, { party_id: id, name: null, added_by: ben.id }, [130, 175, 240], starts_at);
  for (const [uname, door] of Object.entries(tablePhotos)) {
    const picture = readFileSync(join(pictureFolder, `${door}.webp`));
    await replacePhoto(db, {
      id: createPictureId(),
      party_id: id,
      user_id: findMember(members, uname).id,
      screen: picture,
      phone: picture,
      created_at: starts_at + hours(3),
    });
  }
};

const pictureFolder = join(import.meta.dirname, "../calendar/demo-pictures");
/** Numbers of the calendar pictures that could hang above a table. */
const tablePhotos: Readonly<Record<string, string>> = { anna: "23", ben: "15", carla: "16" };

async function seedGuest(
  db: Db,
  guest: Insertable<Tables["party_guests"]>,
  taps: readonly number[],
  startsAt: number,
): Promise<void> {
  const guest_id = await guestStore.createGuest(db, guest);
  for (const [index, time] of taps.entries()) {
    const at = startsAt + minutes(time);
    await guestStore.createBeer(db, { guest_id, key: `demo-tap-${index}`, at, booked_at: at });
  }
}

/** Minutes after the start of the running party. */
const runningTaps: Readonly<Record<string, readonly number[]>> = {
  carla: [4, 55, 128],
  anna: [12, 71, 119],
  ben: [9, 48, 86, 131],
  david: [31, 90],
  emil: [15, 62],
  frieda: [40, 103, 137],
};

/** Began two and a half hours ago. Emil has gone home; Greta and Hannes have not joined. */
const seedRunningParty: DemoSeed = async ({ db, clock, config: { timeZone }, members, beers }) => {
  const starts_at = clock.now() - hours(2.5);
  const carla = findMember(members, "carla");
  const party = {
    name: "Kickern bei Carla",
    created_by: carla.id,
    starts_at,
    ends_at: findAutomaticEnd(starts_at, timeZone),
  };
  const id = await store.createParty(db, party);
  for (const uname of Object.keys(runningTaps)) await store.createStay(db, id, findMember(members, uname).id, 0);
  await store.endStay(db, id, findMember(members, "emil").id, starts_at + minutes(100));
  await seedGuest(db, { party_id: id, name: "Mia", added_by: findMember(members, "ben").id }, [33, 94], starts_at);
  await seedGuest(db, { party_id: id, name: "Jonas", added_by: carla.id }, [58], starts_at);
  // The caller may request an exact number of beers; then the party adds none.
  if (beers !== null) return {};
  const taps = Object.entries(runningTaps).flatMap(([uname, times]) =>
    times.map((time) => ({ userId: findMember(members, uname).id, key: null, at: starts_at + minutes(time) })),
  );
  await inTransaction(db, (tx) =>
    bookBeers(
      tx,
      taps.toSorted((one, other) => one.at - other.at),
      timeZone,
    ),
  );
  return { beers: taps.length };
};

function findMember(members: readonly DemoMember[], uname: string): DemoMember {
  return members.find((member) => member.uname === uname)!;
}
