import { randomBytes } from "node:crypto";

import { beforeEach, describe, expect, test } from "vitest";

import { guestTokenDays } from "#contract/guest-device.ts";
import { guestLimits } from "#contract/party-guests.ts";
import { updateDisabledAt } from "#server/features/members/store.ts";
import { days, hours, minutes } from "#server/time.ts";
import type { Client } from "#test/client.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { connectPage } from "#test/socket-client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { jobs } from "./jobs.ts";

const gone = "Diesen Gast gibt es nicht mehr.";
const invalidLink = "Dieser QR-Code gilt nicht mehr. Frag am Tisch nach einem neuen.";
const over = "Diese Party ist schon vorbei.";

let app: TestApp;
let anna: Client;
let ben: Client;
let carla: Client;
let party: number;
let secret: string;

/** Anna (id 1) is the administrator; Ben (2) starts a party, and Carla (3) joins it. */
async function setUp(env: Record<string, string> = {}): Promise<void> {
  app = await createTestApp(env);
  [anna, ben, carla] = [await app.createMember("anna"), await app.createMember("ben"), await app.createMember("carla")];
  await app.rememberSessions();
  party = (await ben.post("/api/parties", { name: "Grillen bei Ben" })).json.id;
  await carla.post(`/api/parties/${party}/members`);
  secret = await findSecret(ben);
}
beforeEach(() => setUp());

const findSecret = async (client: Client, id = party) =>
  (await client.post(`/api/parties/${id}/guest-link`)).json.secret;
const open = (client: Client, is_open: boolean) => client.post(`/api/parties/${party}/guest-access`, { is_open });
const show = async (client: Client) => (await client.get(`/api/parties/${party}`)).json;

const createToken = () => randomBytes(32).toString("hex").toUpperCase();

/** A phone without an account. */
function createPhone(token = createToken()) {
  const client = app.createClient();
  const headers = { "guest-token": token };
  return {
    token,
    client,
    join: (name: string, link: object = { party, secret }) =>
      client.post("/api/guest", { name, has_agreed: true, ...link }, headers),
    drink: (key: string, age = 0) =>
      client.post("/api/guest/beers", undefined, { ...headers, "idempotency-key": key, "tap-age": String(age) }),
    undo: (key: string) => client.delete(`/api/guest/beers/${key}`, headers),
    look: () => client.get("/api/guest", headers),
    leave: () => client.delete("/api/guest", headers),
    ask: (name: string) => client.post("/api/guest/request", { name }, headers),
  };
}
type Phone = ReturnType<typeof createPhone>;

async function joinAs(name: string): Promise<Phone> {
  const phone = createPhone();
  expect((await phone.join(name)).status).toBe(204);
  return phone;
}

async function endParty(): Promise<void> {
  app.clock.time += hours(2);
  expect((await ben.post(`/api/parties/${party}/end`)).status).toBe(200);
}

async function expectGone({ drink, undo, look, leave, ask }: Phone): Promise<void> {
  for (const answer of [
    await look(),
    await drink("after-the-end"),
    await undo("first-beer"),
    await leave(),
    await ask("Mia"),
  ])
    expectRefusal(answer, 422, gone);
}

describe("the guest on an own phone", () => {
  test("the QR code tells a stranger the party's name and its starter, unless the starter is quiet", async () => {
    const look = async () => (await app.createClient().post("/api/guest/invitation", { party, secret })).json;
    expect(await look()).toEqual({ party: { name: "Grillen bei Ben", by: "Ben" } });
    await ben.post("/api/user/presence", { visibility: "quiet" });
    expect(await look()).toEqual({ party: { name: "Grillen bei Ben", by: null } });
    expect((await show(carla)).guest_count).toBe(0);
  });

  test("a guest sees the party's number, the own beers and the first names of visible members, and nothing else", async () => {
    const mia = await joinAs(" Mia ");
    const page = await connectPage(app, carla);
    expect((await mia.drink("first-beer")).json).toEqual({ total: 1 });
    expect((await page.next("updated")).data).toMatchObject({ counterVal: 0, userId: null });
    await ben.post("/api/beercounter/counters");
    const { status, json } = await mia.look();
    expect([status, json]).toEqual([
      200,
      {
        party: { name: "Grillen bei Ben", is_running: true, total: 2, guest_total: 1, members: ["Ben", "Carla"] },
        name: "Mia",
        total: 1,
        undo_keys: ["first-beer"],
        request: null,
      },
    ]);
    await carla.post("/api/user/presence", { visibility: "quiet" });
    await ben.post(`/api/parties/${party}/home`);
    expect((await mia.look()).json.party.members).toEqual([]);
  });

  test("members see who came by QR code, and the starter can count for such a guest, too", async () => {
    const mia = await joinAs("Mia");
    await mia.drink("first-beer");
    const [guest] = (await show(ben)).guests;
    expect(guest).toMatchObject({
      name: "Mia",
      by: "Ben",
      total: 1,
      is_by_qr: true,
      can_count: true,
      can_remove: true,
    });
    await ben.post(`/api/party-guests/${guest.id}/beers`, undefined, { "idempotency-key": "second-beer" });
    expect((await mia.look()).json.total).toBe(2);
    expect((await show(carla)).guests).toMatchObject([{ is_by_qr: true, can_count: false, can_remove: false }]);
  });

  test("a guest's tap that is sent twice books one beer, which can be undone", { tags: "postgres" }, async () => {
    const mia = await joinAs("Mia");
    const answers = await Promise.all(Array.from({ length: 3 }, () => mia.drink("one-tap-only")));
    expect(answers.map(({ json }) => json.total)).toEqual([1, 1, 1]);
    expect((await mia.undo("one-tap-only")).json).toEqual({ total: 0 });
    expect((await mia.drink("one-tap-only")).json).toEqual({ total: 0 });
    const { json } = await mia.client.post("/api/guest/beers", undefined, { "guest-token": mia.token });
    expect(json.errors).toEqual({ "Idempotency-Key": ["Idempotency-Key muss ausgefüllt werden."] });
  });

  test("a guest's late tap counts after the party if the beer was drunk before its end", async () => {
    const mia = await joinAs("Mia");
    await endParty();
    app.clock.time += hours(3);
    expect((await mia.drink("tap-in-time", hours(4))).json).toEqual({ total: 1 });
    expectRefusal(await mia.drink("tap-too-late", hours(2)), 422, over);
    expect((await show(ben)).total).toBe(1);
    expect((await mia.look()).json).toMatchObject({ name: null, party: { is_running: false, total: 1, members: [] } });
  });

  test("a join whose answer was lost is repeated as the same guest", async () => {
    const mia = await joinAs("Mia");
    expect((await mia.join("Mia")).status).toBe(204);
    expect((await show(ben)).guests).toHaveLength(1);
  });

  test("a guest can leave, which removes the guest's beers", async () => {
    const mia = await joinAs("Mia");
    await mia.drink("first-beer");
    expect((await mia.leave()).json).toEqual({ message: "Du bist nicht mehr dabei." });
    await expectGone(mia);
    expect(await show(ben)).toMatchObject({ total: 0, guest_count: 0 });
  });
});

describe("the QR code of a party", () => {
  test("only members at the party get the secret of its QR code, and only while the party is running", async () => {
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(await findSecret(carla)).toBe(secret);
    expect(await findSecret(anna)).toBeNull();
    await carla.post(`/api/parties/${party}/home`);
    expect(await findSecret(carla)).toBeNull();
    await endParty();
    expect(await findSecret(ben)).toBeNull();
  });

  test("only the starter and administrators switch guests by QR code off, after which those who joined stay", async () => {
    const mia = await joinAs("Mia");
    expectRefusal(await open(carla, false), 403, "Diese Aktion ist nicht autorisiert.");
    expect((await open(ben, false)).status).toBe(200);
    expect(await show(carla)).toMatchObject({ is_open_to_guests: false });
    expectRefusal(await createPhone().join("Noah"), 422, invalidLink);
    expect((await app.createClient().post("/api/guest/invitation", { party, secret })).json).toEqual({ party: null });
    expect((await mia.drink("first-beer")).status).toBe(200);
    expect((await open(anna, true)).status).toBe(200);
    expect(await findSecret(ben)).not.toBe(secret);
    expectRefusal(await createPhone().join("Noah"), 422, invalidLink);
    const { entries } = (await anna.get("/api/admin/audit")).json;
    expect(entries.map(({ text }: { text: string }) => text)).toEqual([
      `QR-Code für Gäste der Party ${party} an- oder ausgeschaltet.`,
    ]);
  });
});

describe("attacks by strangers", () => {
  test("a QR code opens no other party, and neither does a token", async () => {
    const other = (await carla.post("/api/parties", { name: "Keller" })).json.id;
    expectRefusal(await createPhone().join("Mia", { party: other, secret }), 422, invalidLink);
    const mia = await joinAs("Mia");
    expectRefusal(await mia.join("Mia", { party: other, secret: await findSecret(carla, other) }), 422, invalidLink);
    await mia.drink("first-beer");
    expect((await carla.get(`/api/parties/${other}`)).json).toMatchObject({ total: 0, guest_count: 0 });
  });

  test.each(["", "null", "x", "A".repeat(64)])("the guessed secret %j lets nobody join", async (guess) => {
    expectRefusal(await createPhone().join("Mia", { party, secret: guess }), 422, invalidLink);
    await open(ben, false);
    expectRefusal(await createPhone().join("Mia", { party, secret: guess }), 422, invalidLink);
  });

  test("after the end of the party, a QR code adds no guest, and a token neither taps nor leaves", async () => {
    const mia = await joinAs("Mia");
    await mia.drink("first-beer");
    await endParty();
    expectRefusal(await createPhone().join("Noah"), 422, invalidLink);
    expectRefusal(await mia.drink("after-the-end"), 422, over);
    expectRefusal(await mia.leave(), 422, over);
    app.clock.time += days(guestTokenDays);
    await expectGone(mia);
    for (const { run } of jobs) await run(app.context);
    expect(await app.db.selectFrom("party_guests").select(["name", "token_hash"]).execute()).toEqual([
      { name: null, token_hash: null },
    ]);
  });

  test("missing, malformed and unknown tokens, and those of removed guests, get the same refusal", async () => {
    const mia = await joinAs("Mia");
    const [{ id }] = (await show(ben)).guests;
    for (const token of ["", "x", mia.token.toLowerCase(), createToken()]) await expectGone(createPhone(token));
    expectRefusal(await app.createClient().get("/api/guest"), 422, gone);
    expect((await ben.delete(`/api/party-guests/${id}`)).status).toBe(200);
    await expectGone(mia);
  });

  test("a guest token opens no other endpoint, in no header", async () => {
    const { token, client } = await joinAs("Mia");
    const endpoints = app.context.http.endpoints.filter(({ method, who }) => method === "GET" && who !== "everyone");
    expect(endpoints.length).toBeGreaterThan(20);
    for (const { path } of endpoints) {
      for (const headers of [{ "guest-token": token, "tv-token": token }, { authorization: `Bearer ${token}` }]) {
        const { status } = await client.get(path.replaceAll(/:\w+/g, "1"), headers);
        expect(status, path).toBe(401);
      }
    }
    expect((await client.get("/api/tv", { "tv-token": token })).status).toBe(401);
    expect((await client.post("/api/register", { token })).json.errors.token).toBeDefined();
  });

  test("a second device is a second guest, under another name", async () => {
    await joinAs("Mia");
    const { status, json } = await createPhone().join("MIA");
    expect([status, json.errors]).toEqual([422, { name: ["Ein Gast mit diesem Namen ist schon dabei."] }]);
    expect((await createPhone().join("Mia 2")).status).toBe(204);
    expect((await show(ben)).guests).toHaveLength(2);
  });

  test("at most thirty guests join a party, even at once, and a network's thousand names are refused", async () => {
    await setUp({ RATE_LIMIT_FACTOR: "1" });
    const answers = await Promise.all(
      Array.from({ length: 32 }, (_, index) =>
        createPhone()
          .join(`Gast ${index}`)
          .then(({ status }) => status),
      ),
    );
    expect(answers.filter((status) => status === 204)).toHaveLength(guestLimits.count);
    const statuses = new Set<number>();
    for (let index = 0; index < 40; index++) statuses.add((await createPhone().join(`Name ${index}`)).status);
    expect([...statuses]).toEqual([422, 429]);
  });

  test("a script in a guest's name is only a text, and a guest must agree", async () => {
    const name = "<script>x()</script>";
    await joinAs(name);
    expect((await show(ben)).guests).toMatchObject([{ name }]);
    for (const bad of ["", "x".repeat(guestLimits.name + 1), "a\u202eb", "a\nb"])
      expect((await createPhone().join(bad)).status, bad).toBe(422);
    const { json } = await createPhone().client.post(
      "/api/guest",
      { name: "Noah", party, secret },
      { "guest-token": createToken() },
    );
    expect(json.errors).toEqual({ has_agreed: ["Ohne Einverständnis geht es nicht."] });
  });

  test("a guest books at most 200 beers, including undone ones", async () => {
    const mia = await joinAs("Mia");
    const { id } = await app.db.selectFrom("party_guests").select("id").executeTakeFirstOrThrow();
    const rows = Array.from({ length: guestLimits.beers }, (_, index) => ({ guest_id: id, key: `beer-key-${index}` }));
    const at = app.clock.now();
    await app.db
      .insertInto("party_guest_beers")
      .values(rows.map((row) => ({ ...row, at, booked_at: at })))
      .execute();
    for (const answer of [await mia.drink("one-too-many"), await mia.undo("never-booked")])
      expectRefusal(answer, 422, "Mehr als 200 Striche an einem Abend gehen nicht.");
    expect((await mia.undo("beer-key-0")).json).toEqual({ total: guestLimits.beers - 1 });
  });

  test("a guest of a disabled starter keeps counting, and administrators can count, too", async () => {
    const mia = await joinAs("Mia");
    await updateDisabledAt(app.db, 2, app.clock.now());
    app.clock.time += minutes(1);
    expect((await mia.drink("first-beer")).status).toBe(200);
    expect((await show(anna)).guests).toMatchObject([{ by: null, can_count: true }]);
  });
});
