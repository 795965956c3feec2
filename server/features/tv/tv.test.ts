import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";

import { updateDisabledAt } from "#server/features/members/store.ts";
import type { ClientResponse, Client } from "#test/client.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { fixtures } from "#test/fixtures.ts";
import { connectSocket } from "#test/socket-client.ts";
import { type TestApp, createTestApp } from "#test/test-app.ts";
import { jobs } from "./jobs.ts";

const links = "/api/admin/tv";
const minute = 60_000;
const day = 24 * 60 * minute;
let app: TestApp;
let anna: Client;
let ben: Client;

beforeEach(async () => {
  app = await createTestApp({ GROUP_NAME: "Skatrunde", GROUP_SHORT: "SKR" });
  anna = await app.createMember("anna", ["admin"]);
  ben = await app.createMember("ben");
});

async function makeLink(name = "Theke"): Promise<{ id: number; url: string; token: string }> {
  const { status, json } = await anna.post(links, { name });
  expect(status).toBe(201);
  return { ...json, token: new URLSearchParams(new URL(json.url).hash.slice(1)).get("token")! };
}

/** Requests the screen as a TV does: with a token but without cookies. */
const getScreen = (token?: string, version?: string): Promise<ClientResponse> =>
  app.createClient().get(`/api/tv${version ? `?version=${version}` : ""}`, token ? { "tv-token": token } : {});
const getPicture = (token?: string): Promise<ClientResponse> =>
  app.createClient().get(`/api/tv/pictures/${fixtures.avatarId}`, token ? { "tv-token": token } : {});
const revoke = (id: number, client = anna): Promise<ClientResponse> => client.delete(`${links}/${id}`);
const drink = (client: Client, headers = {}) => client.post("/api/beercounter/counters", undefined, headers);
const auditTexts = async () =>
  (await anna.get("/api/admin/audit")).json.entries.map(({ text }: { text: string }) => text);

/** Stores two pictures of Ben and selects one of them as profile picture. */
async function giveBenPictures(): Promise<void> {
  for (const id of [fixtures.avatarId, "bens-other-picture-000"]) {
    await app.db.insertInto("pictures").values({ id, user_id: 2, png: fixtures.png, created_at: 0 }).execute();
  }
  await app.db.updateTable("users").set({ avatar_id: fixtures.avatarId }).where("id", "=", 2).execute();
}

describe("TV links", () => {
  test("the token of a TV link is shown only when the link is created, and stored only as a hash", async () => {
    const { id, url, token } = await makeLink();
    expect(url).toMatch(/^http:\/\/localhost:3000\/tv#token=[A-Za-z0-9_-]{43}$/);
    const created_at = new Date(app.clock.time).toISOString();
    const list = await anna.get(links);
    expect(list.json).toEqual([{ id, name: "Theke", scope: "tv", by: "Anna", created_at, last_used_at: null }]);
    expect(await auditTexts()).toEqual(["Link für den Fernseher „Theke“ erstellt."]);
    const rows = await app.db.selectFrom("tv_links").selectAll().execute();
    expect(JSON.stringify([list.json, rows, app.logLines])).not.toContain(token);
  });

  test("the list of TV links has each link's last use, accurate to the minute", async () => {
    const { token } = await makeLink();
    const first = app.clock.time;
    await getScreen(token);
    app.clock.time += minute - 1;
    await getScreen(token);
    expect((await anna.get(links)).json[0].last_used_at).toBe(new Date(first).toISOString());
    app.clock.time += 1;
    await getScreen(token);
    expect((await anna.get(links)).json[0].last_used_at).toBe(new Date(app.clock.time).toISOString());
  });

  test("a TV receives its screen while the database is read-only", async () => {
    const { token } = await makeLink();
    await sql`pragma query_only = 1`.execute(app.db);
    expect((await getScreen(token)).status).toBe(200);
    await sql`pragma query_only = 0`.execute(app.db);
  });

  test("a TV link ends 180 days after its last use, or after its creation if it was never used", async () => {
    const [used, unused] = [await makeLink("Theke"), await makeLink("Keller")];
    app.clock.time += 100 * day;
    expect((await getScreen(used.token)).status).toBe(200);
    app.clock.time += 80 * day;
    expect((await getScreen(unused.token)).status).toBe(401);
    await jobs[0]!.run(app.context);
    expect(await app.db.selectFrom("tv_links").select("name").execute()).toEqual([{ name: "Theke" }]);
    app.clock.time += 100 * day - 1;
    expect((await getScreen(used.token)).status).toBe(200);
    app.clock.time += 180 * day;
    expect((await getScreen(used.token)).status).toBe(401);
  });

  test("a revoked TV link is refused, and other TV links remain valid", async () => {
    const theke = await makeLink("Theke");
    const keller = await makeLink("Keller");
    await giveBenPictures();
    expect((await getScreen(theke.token)).status).toBe(200);
    expect((await revoke(theke.id)).json).toEqual({ message: "Link zurückgezogen." });
    expectRefusal(await getScreen(theke.token), 401, "Nicht angemeldet.");
    expectRefusal(await getPicture(theke.token), 401, "Nicht angemeldet.");
    expect((await getScreen(keller.token)).status).toBe(200);
    expect((await revoke(theke.id)).status).toBe(404);
    expect((await anna.get(links)).json).toMatchObject([{ name: "Keller" }]);
    expect(await auditTexts()).toEqual([
      "Link für den Fernseher „Theke“ zurückgezogen.",
      "Link für den Fernseher „Keller“ erstellt.",
      "Link für den Fernseher „Theke“ erstellt.",
    ]);
  });

  test.each([[""], ["   "], ["x".repeat(33)], ["un\u202Elesbar"]])(
    "a TV link with the name %j is refused",
    async (name) => {
      const answer = await anna.post(links, { name });
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ["name"]]);
      expect((await anna.get(links)).json).toEqual([]);
    },
  );
});

describe("TV requests without a token", () => {
  test("TV requests without a valid token get the same 401 for guests, members and administrators", async () => {
    await makeLink();
    await giveBenPictures();
    const refused = "Nicht angemeldet.";
    for (const path of ["/api/tv", `/api/tv/pictures/${fixtures.avatarId}`]) {
      for (const client of [app.createClient(), ben, anna]) {
        for (const headers of [
          {},
          { "tv-token": "" },
          { "tv-token": "a".repeat(43) },
          { "tv-token": "x".repeat(9000) },
        ]) {
          const answer = await client.get(path, headers);
          expectRefusal(answer, 401, refused);
        }
      }
    }
  });

  test("a TV token in the query or in a cookie is ignored", async () => {
    const { token } = await makeLink();
    expect((await app.createClient().get(`/api/tv?token=${token}&version=x`)).status).toBe(401);
    expect((await app.createClient().get("/api/tv", { cookie: `session=${token}; tv-token=${token}` })).status).toBe(
      401,
    );
  });
});

describe("TV requests with a token", () => {
  test("a TV's screen has the total, all members' counts and the latest taps, but no private data", async () => {
    await giveBenPictures();
    await drink(anna);
    app.clock.time += minute;
    await drink(ben);
    await drink(ben);
    const { token } = await makeLink();
    const { json, text, headers } = await getScreen(token);
    const iso = (back: number) => new Date(app.clock.time - back).toISOString();
    const picture = fixtures.avatarId;
    expect(json).toEqual({
      now: iso(0),
      version: json.version,
      screen: {
        group_name: "Skatrunde",
        group_short: "SKR",
        total: 3,
        tonight: 3,
        parties: [],
        drinkers: [
          { id: 2, name: "Ben", avatarId: picture, count: 2 },
          { id: 1, name: "Anna", avatarId: null, count: 1 },
        ],
        taps: [
          { id: 3, name: "Ben", avatarId: picture, at: iso(0), kind: null },
          { id: 2, name: "Ben", avatarId: picture, at: iso(0), kind: null },
          { id: 1, name: "Anna", avatarId: null, at: iso(minute), kind: null },
        ],
        milestone: { id: 1, kind: "group", count: 1, userName: "Anna", avatarId: null, at: iso(minute) },
      },
    });
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["set-cookie"]).toBeUndefined();
    expect(text).not.toMatch(/@|uname|email|password|permission/);
  });

  test("a TV's ranking orders members with equal counts like the other rankings", async () => {
    await app.db.updateTable("users").set({ name: "Zoe" }).where("id", "=", 1).execute();
    const { id } = (await anna.post("/api/parties", { name: "Grillen" })).json;
    await ben.post(`/api/parties/${id}/members`);
    await drink(anna);
    await drink(ben);
    const { token } = await makeLink();
    const { drinkers } = (await getScreen(token)).json.screen;
    const rankings = [
      drinkers,
      (await ben.get("/api/beercounter/stats/user")).json.users,
      (await ben.get("/api/beercounter/stats/period?span=week")).json.users,
      (await ben.get(`/api/parties/${id}`)).json.users,
    ];
    const names = rankings.map((all) => all.map(({ name }: { name: string }) => name));
    expect(names).toEqual(names.map(() => ["Ben", "Zoe"]));
  });

  test("a TV can load only selected profile pictures, which are not cached", async () => {
    await giveBenPictures();
    const { token } = await makeLink();
    const shown = await getPicture(token);
    expect([shown.status, shown.headers["content-type"], shown.headers["cache-control"]]).toEqual([
      200,
      "image/png",
      "no-store",
    ]);
    const hidden = await app.createClient().get("/api/tv/pictures/bens-other-picture-000", { "tv-token": token });
    expectRefusal(hidden, 404, "Nicht gefunden.");
  });

  test("a TV token gives no access to members' endpoints or to a channel", async () => {
    const { token } = await makeLink();
    await giveBenPictures();
    const television = app.createClient({ "tv-token": token });
    for (const path of ["beercounter/counters", "beercounter/stats/user", "user/avatars", "admin/tv"]) {
      expect((await television.get(`/api/${path}`)).status, path).toBe(401);
    }
    expect((await television.get(`/internal/images/avatar/${fixtures.avatarId}`)).status).toBe(401);
    expect((await television.post("/api/beercounter/counters")).status).toBe(401);
    const socket = await connectSocket(app, television.cookieHeader);
    const body = { socket_id: socket.id, channel_name: "private-beercounter" };
    expect((await television.post("/broadcasting/auth", body)).status).toBe(401);
  });

  test("a TV that already shows the current version of the screen receives only the time", async () => {
    await drink(anna);
    const { token } = await makeLink();
    const { version } = (await getScreen(token)).json;
    app.clock.time += 5000;
    const again = await getScreen(token, version);
    expect(again.json).toEqual({ now: new Date(app.clock.time).toISOString(), version, screen: null });
    expect(again.text.length).toBeLessThan(100);
  });

  test.each<[string, () => Promise<unknown>]>([
    ["a member drinks", () => drink(ben)],
    ["a beer is deleted", () => anna.delete("/api/beercounter/beers/1")],
    ["a member is renamed", () => rename("Benno")],
    ["a member selects a picture", () => giveBenPictures()],
    ["a member is disabled", () => updateDisabledAt(app.db, 2, 1)],
    ["a member is added", () => app.createUser("carla")],
    [
      "the group is renamed",
      () => anna.post("/api/admin/group", { group_name: "Neu", group_short: "N", legal_links: [] }),
    ],
  ])("a TV receives new content when %s", async (_, change) => {
    await drink(anna);
    const { token } = await makeLink();
    const { version } = (await getScreen(token)).json;
    await change();
    const { json } = await getScreen(token, version);
    expect(json.screen).not.toBeNull();
    expect(json.version).not.toBe(version);
  });

  test("a TV's screen has the latest milestone", async () => {
    const reached = { kind: "member", user_id: 2, count: 250, at: app.clock.time } as const;
    await app.db.insertInto("milestones").values(reached).execute();
    const { token } = await makeLink();
    const at = new Date(app.clock.time).toISOString();
    const shown = { id: 1, kind: "member", count: 250, userName: "Ben", avatarId: null, at };
    expect((await getScreen(token)).json.screen.milestone).toEqual(shown);
  });

  test("a TV's screen has the group's milestone of a quiet member without the name, and no milestone of that member", async () => {
    await app.db.updateTable("users").set({ visibility: "quiet" }).where("id", "=", 2).execute();
    const reached = { user_id: 2, at: app.clock.time } as const;
    await app.db
      .insertInto("milestones")
      .values({ ...reached, kind: "group", count: 300 })
      .execute();
    await app.db
      .insertInto("milestones")
      .values({ ...reached, kind: "member", count: 50 })
      .execute();
    const { token } = await makeLink();
    const shown = { id: 1, kind: "group", count: 300, userName: null, avatarId: null };
    expect((await getScreen(token)).json.screen.milestone).toMatchObject(shown);
  });

  test("a TV's screen has no disabled members and none of their taps or pictures", async () => {
    await giveBenPictures();
    await drink(ben);
    await drink(anna);
    const { token } = await makeLink();
    await updateDisabledAt(app.db, 2, app.clock.time);
    const { screen } = (await getScreen(token)).json;
    expect([screen.drinkers, screen.taps].map((rows) => rows.map(({ name }: { name: string }) => name))).toEqual([
      ["Anna"],
      ["Anna"],
    ]);
    expect((await getPicture(token)).status).toBe(404);
  });

  test("a TV's screen has only the ten latest beers by the time of drinking", async () => {
    const { token } = await makeLink();
    for (let tap = 0; tap < 12; tap++) {
      app.clock.time += minute;
      await drink(anna);
    }
    const twelve = await getScreen(token);
    const newest = app.clock.time;
    // The next beer was tapped offline an hour ago, before all other beers.
    await drink(ben, { "idempotency-key": "from-the-cellar", "tap-age": String(60 * minute) });
    const { taps, total } = (await getScreen(token)).json.screen;
    expect([total, taps.length]).toEqual([13, 10]);
    expect(taps.map(({ at }: { at: string }) => at)).toEqual(
      Array.from({ length: 10 }, (_, back) => new Date(newest - back * minute).toISOString()),
    );
    for (let tap = 0; tap < 30; tap++) await drink(anna);
    expect(Math.abs((await getScreen(token)).text.length - twelve.text.length)).toBeLessThan(20);
  });
});

const rename = (name: string) => ben.post("/api/user/update", { uname: "ben", name, email: "ben@stammtisch.example" });
