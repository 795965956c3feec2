import { join } from "node:path";

import { expect, test } from "vitest";

import { openDatabase } from "#server/db/connect.ts";
import { hours } from "#server/time.ts";
import { createTemporaryFolder } from "#test/cleanup.ts";
import { createEmptyLocation, runHostCommand } from "#test/host-commands.ts";
import { createTestApp } from "#test/test-app.ts";
import { createBeer, createGuest } from "./guest-store.ts";
import { createParty } from "./store.ts";

const app = await createTestApp({}, { onDisk: true });

test("a restore brings back guests' beers, but no names after the party, no devices and no QR codes", async () => {
  await app.createMember("anna");
  const now = app.clock.now();
  for (const [name, ends_at] of [
    ["Mia", now - hours(1)],
    ["Noah", now + hours(1)],
  ] as const) {
    const party_id = await createParty(app.db, {
      name: "Grillen",
      created_by: 1,
      starts_at: now - hours(2),
      ends_at,
      guest_secret: "a secret",
    });
    const device = { token_hash: `hash of ${name}`, request: "open", requested_name: name } as const;
    const guest_id = await createGuest(app.db, { party_id, name, added_by: 1, ...device });
    await createBeer(app.db, { guest_id, key: "first-beer", at: now - hours(2), booked_at: now - hours(2) });
  }
  const file = join(createTemporaryFolder(), "evening.backup");
  await runHostCommand(app, "backup", app.config, [file]);

  const place = await createEmptyLocation();
  await runHostCommand(app, "restore", place, [file]);
  await using database = openDatabase(place);
  const guests = await database.db.selectFrom("party_guests").selectAll().orderBy("id").execute();
  const revoked = { token_hash: null, request: null, requested_name: null };
  expect(guests).toMatchObject([
    { name: null, ...revoked },
    { name: "Noah", ...revoked },
  ]);
  const secrets = await database.db.selectFrom("parties").select("guest_secret").execute();
  expect(secrets).toEqual([{ guest_secret: null }, { guest_secret: null }]);
  const beers = await database.db.selectFrom("party_guest_beers").select(["guest_id", "key"]).orderBy("id").execute();
  expect(beers).toEqual([
    { guest_id: 1, key: "first-beer" },
    { guest_id: 2, key: "first-beer" },
  ]);
});
