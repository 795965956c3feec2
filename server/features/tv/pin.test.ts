import { beforeEach, expect, test } from "vitest";

import { hours, minutes } from "#server/time.ts";
import type { Client, ClientResponse } from "#test/client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";

let app: TestApp;
let ben: Client;
let anna: Client;
let tablets: Client[];

/** Ben (id 2) has the PIN 2580. */
beforeEach(async () => {
  app = await createTestApp({ RATE_LIMIT_FACTOR: "1" });
  anna = await app.createMember("anna", ["admin"]);
  ben = await app.createMember("ben");
  await app.rememberSessions();
  tablets = [await pair("Kühlschrank"), await pair("Keller"), await pair("Garten")];
  await savePin("2580");
});

async function pair(name: string): Promise<Client> {
  const visitor = app.createClient();
  await visitor.get("/sanctum/csrf-cookie");
  const { secret, code } = (await visitor.post("/api/tv/code")).json;
  await anna.post("/api/admin/tv-code", { code, name, scope: "tablet" });
  const device = app.createClient({ "tv-token": secret });
  await device.get("/sanctum/csrf-cookie");
  return device;
}

const savePin = (pin: string | null): Promise<ClientResponse> => ben.post("/api/user/tap-settings", { pin });
let taps = 0;
const drink = (pin: string | undefined, tablet = 0): Promise<ClientResponse> =>
  tablets[tablet]!.post("/api/tablet/faces/member-2/beers", { pin }, { "idempotency-key": `pin-tap-${taps++}` });
const total = async () => (await ben.get("/api/beercounter/counters")).json.userCounterVal as number;

/** Enters wrong PINs until one is refused without being checked; returns the number of checked ones. */
async function guess(tablet = 0): Promise<{ checked: number; pause: number }> {
  for (let checked = 0; ; checked++) {
    const { status, headers } = await drink("0000", tablet);
    if (status === 429) return { checked, pause: Number(headers["retry-after"]) };
    expect(status).toBe(422);
  }
}

test("a face with a PIN needs it for each beer, and neither the tablet nor the database learns it", async () => {
  expect((await drink(undefined)).json.errors).toEqual({ pin: ["PIN muss ausgefüllt werden."] });
  expect((await drink("1234")).json.errors).toEqual({ pin: ["Diese PIN stimmt nicht."] });
  expect((await drink("2580")).status).toBe(204);
  expect(await total()).toBe(1);
  const { text, json } = await tablets[0]!.get("/api/tablet");
  expect(json.screen.faces).toContainEqual({ id: "member-2", name: "Ben", avatarId: null, has_pin: true });
  const rows = await app.db.selectFrom("users").selectAll().execute();
  expect(JSON.stringify([text, rows, app.logLines, (await ben.get("/api/user/export")).json])).not.toContain("2580");
  await savePin(null);
  expect((await drink(undefined)).status).toBe(204);
});

test.each(["123", "12345", "12a4", ""])("the PIN %j is refused", async (pin) => {
  const { status, json } = await savePin(pin);
  expect([status, json.errors]).toEqual([422, { pin: ["Eine PIN hat genau vier Ziffern."] }]);
});

test("five wrong PINs pause a face at one tablet for a minute, and further ones for longer", async () => {
  expect(await guess()).toEqual({ checked: 5, pause: 60 });
  expect((await drink("2580")).json.errors).toEqual({
    pin: ["Zu viele falsche PINs. Versuche es bitte in 60 Sekunden nochmal."],
  });
  expect((await drink("2580", 1)).status).toBe(204);
  app.clock.time += minutes(1);
  const { checked, pause } = await guess();
  expect(checked).toBeLessThanOrEqual(5);
  app.clock.time += minutes(1);
  const longer = await guess();
  expect([pause, longer.checked]).toEqual([60, 0]);
  expect(longer.pause).toBeGreaterThan(600);
  app.clock.time += minutes(15);
  expect((await drink("2580")).status).toBe(204);
  expect((await guess()).checked).toBe(5);
});

test("guesses at several tablets are limited together, while the member taps on and ends the pause with a new PIN", async () => {
  let checked = 0;
  for (let round = 0; round < 12; round++) {
    for (const tablet of tablets.keys()) checked += (await guess(tablet)).checked;
    app.clock.time += minutes(16);
  }
  expect(checked).toBe(40);
  expect((await drink("2580")).status).toBe(429);
  expect((await ben.post("/api/beercounter/counters")).status).toBe(200);
  await savePin("1793");
  expect((await drink("1793")).status).toBe(204);
});

test("the right PIN at one tablet allows no further guesses at another", async () => {
  let checked = 0;
  for (let round = 0; round < 8; round++) {
    expect((await drink("2580", 1)).status).toBe(204);
    checked += (await guess(0)).checked;
    app.clock.time += minutes(16);
  }
  expect(checked).toBe(20);
  app.clock.time += hours(12);
  expect((await drink("2580")).status).toBe(204);
});
