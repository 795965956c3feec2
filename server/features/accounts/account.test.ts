import { sql } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";

import { newestNews } from "#contract/news.ts";
import { tables } from "#server/features.ts";
import { noBeers } from "#server/features/beers/rules.ts";
import type { Client } from "#test/client.ts";
import { expectErrors } from "#test/expect-response.ts";
import { fixtures } from "#test/fixtures.ts";
import { readMails } from "#test/mailbox.ts";
import { connectSocket, subscribe } from "#test/socket-client.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";
import { upload } from "#test/upload.ts";
import { jobs } from "./jobs.ts";

const counters = "/api/beercounter/counters";
let app: TestApp;
let anna: Client;
let ben: Client;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna");
  ben = await app.createMember("ben");
});

const deleteAccount = (client: Client, uname: string, beers: "keep" | "remove") =>
  client.post("/api/user/delete", { uname, password, beers });

const drink = (client: Client, key?: string) =>
  client.post(counters, undefined, key === undefined ? {} : { "idempotency-key": key });

/** Returns all stored beers and the counts that are stored in addition to them. */
async function counts() {
  const { db } = app;
  const group = await db.selectFrom("beer_group").select(["total", "first_day"]).executeTakeFirstOrThrow();
  const days = await db.selectFrom("beer_member_days").selectAll().where("total", "!=", 0).orderBy("day").execute();
  const members = await db.selectFrom("beer_members").selectAll().orderBy("user_id").execute();
  const beers = await db.selectFrom("beers").select(["user_id", "at"]).orderBy("id").execute();
  return { group, days, members, beers };
}

describe("account export", () => {
  test("the account export contains everything stored about the member and no data of other members", async () => {
    await drink(anna, "anna-tap-0");
    await anna.delete("/api/beercounter/taps/anna-tap-0");
    await drink(anna, "anna-tap-1");
    await drink(ben, "ben-tap-01");
    const picture = (await upload(anna, fixtures.png)).json.id as string;
    await anna.post("/api/forgot-password", { email: "anna@stammtisch.example" });
    await anna.post("/api/admin/invitations", { days: 1, uses: 2 });
    const reached = { kind: "group", user_id: 1, at: Date.parse("2026-11-19T20:00:00Z") } as const;
    await app.db
      .insertInto("milestones")
      .values([
        { ...reached, count: 100 },
        { ...reached, count: 200, user_id: 2 },
      ])
      .execute();
    await anna.post("/api/admin/tv", { name: "Theke" });
    const game = { driver: "docker", ref: "x", query: "none", position: 1, created_at: 0, wanted: "start" };
    await app.db
      .insertInto("game_servers")
      .values([
        { ...game, display_name: "Teeworlds", changed_by: 1, changed_at: reached.at },
        { ...game, display_name: "OpenTTD", changed_by: 2, changed_at: reached.at },
      ])
      .execute();
    await app.db
      .insertInto("known_devices")
      .values([1, 2].map((user_id) => ({ id: "hash", user_id, last_login_at: Date.parse("2026-11-19T19:30:00Z") })))
      .execute();
    const answer = await anna.get("/api/user/export");
    expect(answer.headers["content-disposition"]).toBe('attachment; filename="stammtisch.json"');
    expect(answer.headers["cache-control"]).toBe("no-store");
    const expected = {
      exported_at: "2026-11-20T19:30:00.000Z",
      profile: {
        id: 1,
        uname: "anna",
        name: "Anna",
        email: "anna@stammtisch.example",
        permissions: ["see-game-servers", "toggle-game-servers", "admin"],
        avatar: null,
        visibility: "visible",
        sees_door_owners: false,
        is_on_tablets: true,
        is_tappable: true,
        has_pin: false,
        news_seen: newestNews,
        member_since: "2026-11-20T19:30:00.000Z",
        last_login_at: "2026-11-20T19:30:00.000Z",
        invitation: null,
      },
      reset_links: [{ is_mailed: true, open_until: "2026-11-20T20:30:00.000Z" }],
      devices: [
        {
          device: "Unbekanntes Gerät",
          user_agent: "",
          logged_in_at: "2026-11-20T19:30:00.000Z",
          last_seen_at: "2026-11-20T19:30:00.000Z",
          confirmed_at: "2026-11-20T19:30:00.000Z",
          passkey_used_at: null,
          stays_logged_in: false,
          push_endpoint: null,
        },
      ],
      known_browsers: [{ last_login_at: "2026-11-19T19:30:00.000Z" }],
      pictures: [
        {
          id: picture,
          url: `http://localhost:3000/internal/images/avatar/${picture}`,
          uploaded_at: "2026-11-20T19:30:00.000Z",
        },
      ],
      notifications: { beers: true, game_servers: true, calendar: true, party: true, sound: false, quiet_hours: null },
      invitations_made: [
        {
          permissions: [],
          made_at: "2026-11-20T19:30:00.000Z",
          expires_at: "2026-11-21T19:30:00.000Z",
          uses_left: 2,
          revoked_at: null,
        },
      ],
      tv_links_made: [{ name: "Theke", made_at: "2026-11-20T19:30:00.000Z", last_used_at: null }],
      game_servers_changed_last: [{ name: "Teeworlds", requested: "start", at: "2026-11-19T20:00:00.000Z" }],
      taps_taken_back: [{ key: "anna-tap-0" }],
      milestones: [
        { kind: "group", count: 1, at: "2026-11-20T19:30:00.000Z" },
        { kind: "group", count: 100, at: "2026-11-19T20:00:00.000Z" },
      ],
      calendar_doors_opened: [],
      calendar_doors_filled: [],
      audit: [
        {
          at: "2026-11-20T19:30:00.000Z",
          action: "invitation-made",
          by_me: true,
          about_me: false,
          details: { invitation: 1, permissions: [], days: 1, uses: 2 },
        },
        {
          at: "2026-11-20T19:30:00.000Z",
          action: "tv-link-made",
          by_me: true,
          about_me: false,
          details: { name: "Theke" },
        },
      ],
      beers: [{ at: "2026-11-20T19:30:00.000Z", booked_at: null, key: "anna-tap-1" }],
    };
    // Compares only these fields, since further features add fields to the export.
    const known = Object.keys(expected).map((name) => [name, answer.json[name]]);
    expect(Object.fromEntries(known)).toEqual(expected);
    // Removes the random picture id first, because it could contain the letters "ben".
    expect(answer.text.replaceAll(picture, "")).not.toMatch(/ben|password_hash|argon2/i);
  });

  test("the account export contains every column of the member's row except secret and internal columns", async () => {
    const row = await app.db.selectFrom("users").selectAll().where("id", "=", 1).executeTakeFirstOrThrow();
    const { profile } = (await anna.get("/api/user/export")).json as { profile: object };
    const others = new Set(
      "uname_key email_key password_hash pin_hash disabled_at failed_logins locked_until is_shown is_paused is_mat_shown".split(
        " ",
      ),
    );
    const names: Record<string, string> = {
      avatar_id: "avatar",
      created_at: "member_since",
      invitation_id: "invitation",
    };
    const exportable = Object.keys(row).filter((column) => !others.has(column));
    const missing = exportable.filter((column) => !((names[column] ?? column) in profile));
    expect(missing, "return them in server/features/members/export.ts").toEqual([]);
  });

  test("the CSV export of beers uses the group's time zone and escapes spreadsheet formulas", async () => {
    await anna.post("/api/user/update", { uname: "anna", name: '=1+1;"A"', email: "anna@stammtisch.example" });
    await drink(anna, "-anna-tap-1");
    await anna.post(counters, { kind: "0,0" });
    await drink(ben);
    const answer = await anna.get("/api/user/export/beers");
    expect(answer.headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(answer.text.split("\r\n")).toEqual([
      "\ufeffName;Tag;Uhrzeit;Zeitpunkt (UTC);Schlüssel;Alkoholfrei",
      `"'=1+1;""A""";20.11.2026;20:30:00;2026-11-20T19:30:00.000Z;'-anna-tap-1;`,
      `"'=1+1;""A""";20.11.2026;20:30:00;2026-11-20T19:30:00.000Z;;ja`,
      "",
    ]);
  });

  test("the exports contain all of 2,500 beers, oldest first", { tags: "postgres", timeout: 20_000 }, async () => {
    const many = 2500;
    const rows = Array.from({ length: many }, (_, index) => ({
      user_id: 1,
      key: `imported-${index}`,
      at: app.clock.time - index * 60_000,
      group_total: index + 1,
      own_total: index + 1,
    }));
    for (let from = 0; from < many; from += 500) {
      await app.db
        .insertInto("beers")
        .values(rows.slice(from, from + 500))
        .execute();
    }
    const { beers } = (await anna.get("/api/user/export")).json as { beers: { at: string; key: string }[] };
    expect(beers.map(({ key }) => key)).toEqual(rows.map(({ key }) => key).toReversed());
    expect((await anna.get("/api/user/export/beers")).text.split("\r\n")).toHaveLength(many + 2);
  });
});

describe("account deletion", () => {
  test("an account deletion removes all personal data and frees the username", { tags: "postgres" }, async () => {
    const greta = await app.createMember("greta");
    await upload(greta, fixtures.png);
    await drink(greta);
    await greta.post("/api/forgot-password", { email: "greta@stammtisch.example" });
    await app.db.insertInto("calendar_openings").values({ user_id: 3, date: "2025-12-01", opened_at: 0 }).execute();
    const answer = await deleteAccount(greta, " Greta ", "keep");
    expect([answer.status, answer.json]).toEqual([200, { message: "Dein Account ist gelöscht. Mach's gut!" }]);
    expect(greta.cookies.size).toBe(0);
    expect(answer.headers["clear-site-data"]).toBe('"cache"');

    for (const [table, { memberColumns = {} }] of Object.entries(tables)) {
      for (const [column, { onAccountDeletion }] of Object.entries(memberColumns)) {
        if (onAccountDeletion !== "delete") continue;
        const { rows } = await sql`select * from ${sql.table(table)} where ${sql.ref(column)} = 3`.execute(app.db);
        expect(rows, table).toEqual([]);
      }
    }
    const row = await app.db.selectFrom("users").selectAll().where("id", "=", 3).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ name: "Ehemaliges Mitglied", password_hash: "", avatar_id: null });
    expect(JSON.stringify(row)).not.toMatch(/greta/i);
    const members = (await anna.get("/api/admin/members")).json as { uname: string }[];
    expect(members.map(({ uname }) => uname)).toEqual(["anna", "ben"]);
    expect((await anna.post("/api/admin/members/3/disabled", { disabled: false })).status).toBe(404);
    const again = app.createClient();
    expect((await again.post("/api/login", { uname: "greta", password })).status).toBe(422);
    expect((await again.post("/api/login", { uname: row.uname, password })).status).toBe(422);
    await app.createUser("greta");
    expect((await again.post("/api/login", { uname: "greta", password })).json.user.id).toBe(4);
    const subjects = (await readMails(app)).flatMap(({ to, subject }) => (to.startsWith("greta@") ? [subject] : []));
    expect(subjects.toSorted()).toEqual([
      "Dein Account ist gelöscht – Stammtisch",
      "Passwort zurücksetzen – Stammtisch",
    ]);
  });

  test("the hourly job removes data that a member's requests wrote during the account deletion", async () => {
    const settings = { beers: true, game_servers: true, sound: true, quiet_hours: null };
    const presence = { visibility: "hidden" };
    const held = [app.holdQuery("SelectQueryNode", "sessions")];
    const sent = [ben.post("/api/push/settings", settings)];
    await held[0]!.reached;
    held.push(app.holdQuery("SelectQueryNode", "sessions"));
    sent.push(ben.post("/api/user/presence", presence));
    await held[1]!.reached;
    expect((await deleteAccount(ben, "ben", "keep")).status).toBe(200);
    for (const { release } of held) release();
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200]);
    for (const { run } of jobs) await run(app.context);
    expect(await app.db.selectFrom("notification_settings").selectAll().execute()).toEqual([]);
    const row = await app.db.selectFrom("users").select("visibility").where("id", "=", 2).executeTakeFirst();
    expect(row).toEqual({ visibility: "visible" });
  });

  test("an account deletion ends the member's sessions and closes the sockets at once", async () => {
    const greta = await app.createMember("greta");
    const elsewhere = app.createClient();
    await elsewhere.post("/api/login", { uname: "greta", password });
    const socket = await connectSocket(app, elsewhere.cookieHeader);
    await deleteAccount(greta, "greta", "keep");
    expect(await socket.closed).toBe(4009);
    expect((await elsewhere.get(counters)).status).toBe(401);
  });

  test("an account deletion can keep the member's beers in all counts, and removes the member from the ranking", async () => {
    await drink(anna);
    await drink(ben);
    const before = await counts();
    await deleteAccount(ben, "ben", "keep");
    expect(await counts()).toEqual(before);
    expect((await anna.get(counters)).json.KSKCounterVal).toBe(2);
    const { users } = (await anna.get("/api/beercounter/stats/user")).json as { users: { uname: string }[] };
    expect(users.map(({ uname }) => uname)).toEqual(["anna"]);
  });

  test("an account deletion can remove the member's beers from every count", { tags: "postgres" }, async () => {
    const drinkAt = async (client: Client, moment: string) => {
      app.clock.time = Date.parse(moment);
      // Logs in before each beer, because the previous session has expired.
      await client.post("/api/login", { uname: client === anna ? "anna" : "ben", password });
      expect((await drink(client)).status).toBe(200);
    };
    await drinkAt(ben, "2026-10-24T23:30:00Z");
    await drinkAt(ben, "2026-10-25T01:30:00Z");
    await drinkAt(anna, "2026-11-15T22:59:59Z");
    await drinkAt(ben, "2026-11-15T23:00:00Z");
    await drinkAt(ben, "2026-11-20T19:00:00Z");
    await drinkAt(anna, "2026-11-20T19:30:00Z");
    await deleteAccount(ben, "ben", "remove");
    expect(await counts()).toEqual({
      group: { total: 2, first_day: "2026-11-15" },
      days: [
        { day: "2026-11-15", user_id: 1, total: 1, alcohol_free: 0 },
        { day: "2026-11-20", user_id: 1, total: 1, alcohol_free: 0 },
      ],
      members: [{ user_id: 1, total: 2, ...noBeers, friday: 1, sunday: 1 }],
      beers: [
        { user_id: 1, at: Date.parse("2026-11-15T22:59:59Z") },
        { user_id: 1, at: Date.parse("2026-11-20T19:30:00Z") },
      ],
    });
    expect((await drink(anna)).json).toEqual({ KSKCounterVal: 3, userCounterVal: 3 });
  });

  test("an account deletion that removes the group's only beers resets the counter to zero", async () => {
    await drink(ben);
    await deleteAccount(ben, "ben", "remove");
    expect((await counts()).group).toEqual({ total: 0, first_day: null });
    expect((await anna.get("/api/beercounter/stats/timely")).json.allWeeks).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  test("an account deletion publishes a counter event that names no member", async () => {
    const socket = await connectSocket(app, anna.cookieHeader);
    const joined = await subscribe(anna, socket, "private-beercounter");
    await drink(ben);
    await socket.next("updated");
    await deleteAccount(ben, "ben", "remove");
    const { data } = await socket.next("updated");
    expect(data).toMatchObject({ counterVal: 0, userId: null, userName: null, avatarId: null });
    expect(data.version).toBeGreaterThan(joined.version + 1);
  });

  test.each([
    [{ uname: "anna" }, { uname: ["Das ist nicht dein Benutzername."] }],
    [{ uname: "" }, { uname: ["Benutzername muss ausgefüllt werden."] }],
    [{ password: "falsch" }, { password: ["Das Passwort ist falsch."] }],
    [{ beers: "sell" }, { beers: ["Der gewählte Wert für Biere ist ungültig."] }],
  ])("a request with the body %j deletes no account", async (change, errors) => {
    const answer = await ben.post("/api/user/delete", { uname: "ben", password, beers: "keep", ...change });
    expectErrors(answer, errors);
    expect((await ben.get("/api/checkLoginStatus")).json.user.uname).toBe("ben");
  });

  test(
    "the last administrator cannot delete the account, even if two administrators try at once",
    { tags: "postgres" },
    async () => {
      const alone = await deleteAccount(anna, "anna", "keep");
      expect([alone.status, alone.json.message]).toEqual([
        422,
        "Das geht nicht: Dann hätte niemand mehr die Verwaltung.",
      ]);
      expect((await anna.get("/api/checkLoginStatus")).json.user.uname).toBe("anna");
      const carla = await app.createMember("carla", ["admin"]);
      const answers = await Promise.all([deleteAccount(anna, "anna", "keep"), deleteAccount(carla, "carla", "keep")]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    },
  );
});
