import { readFileSync } from "node:fs";

import type { Kysely } from "kysely";
import { beforeEach, describe, expect, test } from "vitest";

import { permissions } from "#contract/endpoint.ts";
import { shownWith, visibilities, type Visibility, type VisiblePlace } from "#contract/visibility.ts";
import { openDatabase } from "#server/db/connect.ts";
import { listPendingMigrations, migrateInTransaction } from "#server/db/migrate.ts";
import { addGameServer } from "#server/features/game-servers/actions.ts";
import { listShownNames } from "#server/features/webhooks/store.ts";
import { createTemporaryFolder, endWithTest } from "#test/cleanup.ts";
import type { Client } from "#test/client.ts";
import { createDatabase, dropDatabase } from "#test/database.ts";
import { createFakeDriver, fastTimings } from "#test/fake-driver.ts";
import { fixtures } from "#test/fixtures.ts";
import { connectPage, connectSocket, subscribe } from "#test/socket-client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";

const engine = createFakeDriver({ now: () => app.clock.now() });
let app: TestApp;
let anna: Client;
let ben: Client;

/** Creates the administrators Anna (id 1) and Ben (2). */
beforeEach(async () => {
  app = await createTestApp({}, { gameServers: { drivers: { docker: engine.driver }, timings: fastTimings } });
  [anna, ben] = [await app.createMember("anna", permissions), await app.createMember("ben", permissions)];
  await app.rememberSessions();
});

const save = (body: object) => ben.post("/api/user/presence", body);
const read = async (path: string) => (await anna.get(path)).json;
const named = (people: { name: string }[]): boolean => people.some(({ name }) => name === "Ben");

async function readBensParty() {
  const { id } = (await ben.post("/api/parties", { name: "Grillen" })).json;
  await ben.post(`/api/parties/${id}/guests`, { name: "Mia", has_agreed: true });
  return read(`/api/parties/${id}`);
}

async function openBensDoor(isFilled: boolean) {
  const date = "2026-12-05";
  app.clock.time = Date.parse(`${date}T10:00:00Z`);
  await app.db.insertInto("calendar_assignments").values({ date, user_id: 2 }).execute();
  const picture = { date, id: "x", screen: fixtures.png, phone: fixtures.png };
  if (isFilled) await app.db.insertInto("calendar_pictures").values(picture).execute();
  return (await anna.post(`/api/christmas-calendar/open/${date}`)).json;
}

/** Each row has the words of docs/privacy.de.md and looks if Anna sees Ben's name. */
const places: Record<VisiblePlace, [words: string, look: () => Promise<boolean>]> = {
  ranking: [
    "Säufer in Zähler und Statistik, auf Fernsehern und im Jahresrückblick",
    async () => named((await read("/api/beercounter/stats/user")).users),
  ],
  presence: [
    "„Gerade hier“ und zurückprosten, in beide Richtungen",
    async () => (await subscribe(ben, await connectPage(app, ben), "presence-stammtisch")) !== 403,
  ],
  announcements: [
    "Meldungen über Biere und runde Zahlen, letzte Biere",
    async () => {
      const page = await connectPage(app, anna);
      await ben.post("/api/beercounter/counters");
      return (await page.next("updated")).data["userName"] === "Ben";
    },
  ],
  memberPage: ["Deckel", async () => (await anna.get("/api/members/2/page")).status === 200],
  parties: ["Säufer, Runde und letzte Biere einer Party", async () => named((await readBensParty()).users)],
  emptyDoors: ["wer ein Türchen ohne Bild füllen sollte", async () => (await openBensDoor(false)).late === "Ben"],
  invitations: [
    "wer eine Einladung gemacht hat",
    async () => {
      const { token } = (await ben.post("/api/admin/invitations", {})).json;
      return (await anna.post("/api/invitation", { token })).json.invitation.by === "Ben";
    },
  ],
  webhooks: ["Webhooks", async () => (await listShownNames(app.db, [2])).has(2)],
  partyStarters: ["wer eine Party gestartet hat", async () => (await readBensParty()).by === "Ben"],
  filledDoors: ["Bild hinter dem eigenen Türchen", async () => (await openBensDoor(true)).by === "Ben"],
  guestHosts: ["wer einen Gast dazugeholt hat", async () => (await readBensParty()).guests[0].by === "Ben"],
  gameServers: [
    "wer einen Game-Server gestartet oder gestoppt hat",
    async () => {
      engine.reset();
      engine.set("teeworlds", {});
      const server = { display_name: "Teeworlds", driver: "docker", ref: "teeworlds", query: "none" } as const;
      const rest = { address: null, grace_seconds: null, idle_stop_minutes: null };
      const path = `/api/game-servers/${await addGameServer(app.context, { ...server, ...rest }, null)}`;
      const socket = await connectSocket(app, anna.cookieHeader);
      await subscribe(anna, socket, "private-game-servers");
      expect((await ben.post(path, { state: 1 })).status).toBe(200);
      const by = (await read(path)).changed_by?.name ?? null;
      const told = () => socket.messages.find(({ event, data }) => event === "updated" && data["message"] !== "");
      await expect.poll(() => told()?.data["userName"]).toBe(by);
      return by === "Ben";
    },
  ],
  avatars: ["Name und Profilbild zu einer Nummer", async () => (await anna.get("/api/user/2/avatar")).status === 200],
  lottery: [
    "Verlosung und Tausch der Türchen",
    async () => {
      await app.db.insertInto("calendar_assignments").values({ date: "2026-12-06", user_id: 2 }).execute();
      return named(await read("/api/christmas-calendar/swap-partners"));
    },
  ],
  faces: ["Zapfstellen und „Ein Strich für …“", async () => named((await read("/api/members/tappable")).members)],
};

describe.each(visibilities)("a member with the visibility “%s”", (visibility) => {
  test.each(Object.entries(places))("is named in “%s” as the table says", async (place, [, look]) => {
    await save({ visibility });
    const shown: readonly Visibility[] = shownWith[place as VisiblePlace];
    expect(await look()).toBe(shown.includes(visibility));
  });
});

test("the privacy page has the table of visibility", () => {
  const rows = Object.entries(places).map(([place, [words]]) => {
    const shown: readonly Visibility[] = shownWith[place as VisiblePlace];
    return `| ${words} | ${visibilities.map((visibility) => (shown.includes(visibility) ? "ja" : "nein")).join(" | ")} |\n`;
  });
  expect(readFileSync("docs/privacy.de.md", "utf8")).toContain(rows.join(""));
});

describe("settings of pages of 1.0.0", () => {
  test.each<[before: Visibility, sent: object, after: Visibility]>([
    ["visible", { is_shown: true, is_paused: false, is_mat_shown: true }, "visible"],
    ["visible", { is_shown: false, is_paused: false, is_mat_shown: true }, "quiet"],
    ["visible", { is_shown: true, is_paused: true, is_mat_shown: true }, "quiet"],
    ["visible", { is_shown: true, is_paused: false, is_mat_shown: false }, "quiet"],
    ["visible", { is_shown: true, is_paused: true, is_mat_shown: false }, "hidden"],
    ["quiet", { is_shown: true, is_paused: false, is_mat_shown: true }, "visible"],
    ["hidden", { is_shown: true, is_paused: false }, "quiet"],
    ["hidden", {}, "hidden"],
  ])("a %s member who sends %j becomes %s", async (before, sent, after) => {
    await save({ visibility: before });
    const { data } = (await save(sent)).json;
    const { visibility = "visible", is_hidden = false, is_paused = false, is_mat_hidden = false } = data;
    expect(visibility).toBe(after);
    expect([is_hidden, is_paused, is_mat_hidden]).toEqual([
      after === "hidden",
      after !== "visible",
      after === "hidden",
    ]);
    const row = await app.db.selectFrom("users").selectAll().where("id", "=", 2).executeTakeFirstOrThrow();
    expect([row.is_shown, row.is_paused, row.is_mat_shown]).toEqual(
      [!is_hidden, is_paused, !is_mat_hidden].map(Number),
    );
  });
});

test(
  "the upgrade hides what a member hid before, and keeps paused members without pushes",
  { tags: "postgres" },
  async () => {
    const databaseUrl = process.env["TEST_DATABASE"] === "postgres" ? await createDatabase() : null;
    if (databaseUrl) endWithTest(async () => dropDatabase(databaseUrl));
    await using database = openDatabase({ dataDir: createTemporaryFolder(), databaseUrl });
    const apply = async (names: readonly string[]) =>
      database.db.transaction().execute(async (tx) => migrateInTransaction(tx, database.kind, 1, names));
    const names = listPendingMigrations([]);
    const own = names.indexOf("0044-visibility");
    await apply(names.slice(0, own));
    // The table types describe the schema after the migration.
    const old = database.db as unknown as Kysely<Record<string, Record<string, unknown>>>;
    const before = [
      ["1 0 1", "visible"],
      ["0 0 1", "quiet"],
      ["1 0 0", "quiet"],
      ["1 1 1", "quiet"],
      ["1 1 0", "hidden"],
    ] as const;
    for (const [index, [settings]] of before.entries()) {
      const [is_shown, is_paused, is_mat_shown] = settings.split(" ").map(Number);
      const text = Object.fromEntries(
        ["uname", "uname_key", "name", "email", "email_key"].map((key) => [key, `${index}`]),
      );
      await old
        .insertInto("users")
        .values({ ...text, password_hash: "none", created_at: 1, is_shown, is_paused, is_mat_shown })
        .execute();
      await old
        .insertInto("calendar_assignments")
        .values({ date: `2026-12-0${index + 1}`, user_id: index + 1 })
        .execute();
    }
    const chosen = { beers: 1, game_servers: 0, sound: 1, calendar: 1, party: 1 };
    for (const user_id of [1, 4])
      await old
        .insertInto("notification_settings")
        .values({ user_id, ...chosen })
        .execute();
    await apply(names.slice(own, own + 1));
    const { db } = database;
    const users = await db.selectFrom("users").select("visibility").orderBy("id").execute();
    expect(users.map(({ visibility }) => visibility)).toEqual(before.map(([, after]) => after));
    const none = { beers: 0, calendar: 0, party: 0, quiet_from: null, quiet_until: null };
    expect(await db.selectFrom("notification_settings").selectAll().orderBy("user_id").execute()).toEqual([
      { user_id: 1, ...chosen, quiet_from: null, quiet_until: null },
      { user_id: 4, ...none, game_servers: 0, sound: 1 },
      { user_id: 5, ...none, game_servers: 1, sound: 0 },
    ]);
    const doors = await db.selectFrom("calendar_assignments").select("is_hidden").orderBy("date").execute();
    expect(doors.map(({ is_hidden }) => is_hidden)).toEqual([0, 0, 0, 1, 1]);
  },
);
