import { sql } from "kysely";
import { beforeEach, expect, test, vi } from "vitest";

import { createActorClient, callEndpoint, nameOf, createActors } from "#test/actors.ts";
import { expectErrors, expectRefusal } from "#test/expect-response.ts";
import { type TestApp, createTestApp } from "#test/test-app.ts";

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
  await createActors(app);
});

test(
  "every endpoint answers an internal error with a request id, under which the log has the details",
  { timeout: 60_000 },
  async () => {
    const ben = await createActorClient(app, 4);
    const cookies = new Map(ben.cookies);
    await sql`alter table sessions rename to lost`.execute(app.db);
    const failed: string[] = [];
    for (const endpoint of app.context.http.endpoints) {
      const answer = await callEndpoint(app, ben, endpoint);
      for (const [name, value] of cookies) ben.cookies.set(name, value);
      if (answer.status < 500) continue;
      failed.push(nameOf(endpoint));
      expectRefusal(answer, 500, "Interner Fehler.", nameOf(endpoint));
      const line = app.logLines.find(
        ({ event, fields }) => event === "failed" && fields["reqId"] === answer.json.requestId,
      );
      expect(line?.fields["stack"]).toMatch(/sessions/);
    }
    expect((await ben.get("/healthz")).status).toBe(200);
    const members = app.context.http.endpoints.filter(({ who }) => who !== "everyone");
    expect(failed).toEqual(expect.arrayContaining(members.map(nameOf)));
    await sql`alter table lost rename to sessions`.execute(app.db);
    expect((await ben.get("/api/beercounter/counters")).status).toBe(200);
  },
);

test("taps are refused while the database cannot store beers, and beers are booked again once the cause is fixed", async () => {
  const ben = await createActorClient(app, 4);
  await sql`alter table beers rename to lost`.execute(app.db);
  const answers = await Promise.all([1, 2, 3].map(() => ben.post("/api/beercounter/counters")));
  for (const answer of answers) expectRefusal(answer, 500, "Interner Fehler.");
  await sql`alter table lost rename to beers`.execute(app.db);
  expect((await ben.post("/api/beercounter/counters")).json).toEqual({ KSKCounterVal: 1, userCounterVal: 1 });
});

test("/readyz fails while the database is read-only, and the reason is logged once", async () => {
  const probe = app.createClient({ host: "10.0.0.1" });
  const ben = await createActorClient(app, 4);
  await sql`pragma query_only = 1`.execute(app.db);
  const answer = await probe.get("/readyz");
  expectRefusal(answer, 503, "Der Dienst ist gerade nicht verfügbar. Bitte versuche es gleich nochmal.");
  expect(answer.headers["retry-after"]).toBe("5");
  expect((await probe.get("/healthz")).json).toMatchObject({ status: "ok" });
  await ben.post("/api/beercounter/counters");
  const reason = "DATA_DIR: the database cannot be used (attempt to write a readonly database).";
  expect(app.logLines.filter(({ level }) => level === "warn" || level === "error")).toEqual([
    { level: "warn", event: "not-ready", fields: { reason } },
    { level: "error", event: "unavailable", fields: { reqId: expect.any(String), reason } },
  ]);
  await sql`pragma query_only = 0`.execute(app.db);
  app.clock.time += 1000;
  expect((await probe.get("/readyz")).status).toBe(200);
});

test("/readyz fails when a newer version has changed the database, and while messages of other instances do not arrive", async () => {
  const probe = app.createClient({ host: "10.0.0.1" });
  const isReady = async () => {
    app.clock.time += 1000;
    return (await probe.get("/readyz")).status === 200;
  };
  await sql`insert into migrations (name, at) values ('9999-newer', 1)`.execute(app.db);
  expect(await isReady()).toBe(false);
  await sql`delete from migrations where name = '9999-newer'`.execute(app.db);
  expect(await isReady()).toBe(true);
  const deaf = vi.spyOn(app.context.bus, "isDeaf").mockReturnValue(true);
  expect(await isReady()).toBe(false);
  deaf.mockRestore();
  expect(await isReady()).toBe(true);
});

test("after a write failed on a full disk, /readyz fails until the disk has space again", async () => {
  const probe = app.createClient();
  const ben = await createActorClient(app, 4);
  const readiness = async () => {
    app.clock.time += 1000;
    return (await probe.get("/readyz")).status;
  };
  expect(await readiness()).toBe(200);
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(app.db);
  await sql`pragma max_page_count = ${sql.lit(rows[0]!.page_count)}`.execute(app.db);
  let tapped = 200;
  while (tapped === 200) tapped = (await ben.post("/api/beercounter/counters")).status;
  expect(tapped).toBe(503);
  expect([await readiness(), await readiness()]).toEqual([503, 503]);
  await sql`pragma max_page_count = 1000000`.execute(app.db);
  expect([await readiness(), await readiness()]).toEqual([200, 200]);
  const [probed] = await app.db.selectFrom("settings").select("value").where("key", "=", "last-probe").execute();
  expect(probed).toEqual({ value: String(app.clock.time) });
});

test("the readiness probe writes to the database at most once a second", async () => {
  const writes = async () =>
    (await app.db.selectFrom("settings").select("value").where("key", "=", "last-probe").executeTakeFirst())?.value;
  const probe = app.createClient();
  app.clock.time += 1000;
  await probe.get("/readyz");
  const first = await writes();
  app.clock.time += 999;
  await Promise.all([1, 2, 3].map(() => probe.get("/readyz")));
  expect(await writes()).toBe(first);
  app.clock.time += 1;
  await probe.get("/readyz");
  expect(Number(await writes())).toBe(Number(first) + 1000);
});

test("a long path parameter is refused by its endpoint's own validation", async () => {
  const ben = await createActorClient(app, 4);
  const headers = { "x-xsrf-token": ben.csrfToken };
  for (const length of [10, 500, 1900]) {
    const long = "1".repeat(length);
    const unknown = {
      GET: `/api/game-servers/${long}`,
      POST: `/api/game-servers/${long}`,
      DELETE: `/api/push/devices/${long}`,
    };
    for (const [method, path] of Object.entries(unknown))
      expectRefusal(await ben.send(method, path, { headers }), 404, "Nicht gefunden.", `${method} ${length}`);
    const day = await ben.post(`/api/christmas-calendar/open/${long}`);
    expectErrors(day, { date: ["Der gewählte Wert für Datum ist ungültig."] });
  }
});

test("JSON bodies with deep nesting or many fields are refused without an internal error", async () => {
  const guest = await createActorClient(app, 1);
  const depth = 2000;
  const deep = [`${"[".repeat(depth)}${"]".repeat(depth)}`, `${'{"a":'.repeat(600)}1${"}".repeat(600)}`];
  const wide = `{${Array.from({ length: 380 }, (_, index) => `"k${index}":1`).join()}}`;
  for (const body of [...deep, wide]) {
    const answer = await guest.send("POST", "/api/login", {
      body,
      headers: { "content-type": "application/json", "x-xsrf-token": guest.csrfToken },
    });
    expect(answer.status).toBe(body.length > 4096 ? 413 : 422);
  }
});
