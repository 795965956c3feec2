// Also on PostgreSQL: two administrators may enter the same code concurrently.
import { beforeEach, describe, expect, test } from "vitest";

import { tvCodeLifetime } from "#contract/tv.ts";
import type { Client, ClientResponse } from "#test/client.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";
import { jobs } from "./jobs.ts";
import { maxWaitingCodes } from "./rules.ts";

const path = "/api/admin/tv-code";
const noSuchCode = "Dieser Code stimmt nicht oder ist abgelaufen.";
let app: TestApp;
let anna: Client;
let television: Client;

beforeEach(async () => {
  app = await createTestApp({ RATE_LIMIT_FACTOR: "1" });
  anna = await app.createMember("anna", ["admin"]);
  television = app.createClient();
  await television.get("/login");
});

const makeCode = async (): Promise<{ secret: string; code: string }> =>
  (await television.post("/api/tv/code")).json as { secret: string; code: string };
const stateOf = (secret: string): Promise<ClientResponse> => television.get("/api/tv/code", { "tv-token": secret });
const screenOf = (secret: string): Promise<ClientResponse> => television.get("/api/tv", { "tv-token": secret });
const enter = (code: string, client = anna, name = "Theke"): Promise<ClientResponse> =>
  client.post(path, { code, name });

describe("TV pairing codes", () => {
  test("a TV pairing code has six characters without look-alikes, and only its hash is stored", async () => {
    const { status, json } = await television.post("/api/tv/code");
    expect(status).toBe(201);
    expect(json).toEqual({
      secret: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) as string,
      code: expect.stringMatching(/^[A-HJKMNPR-Z2-9]{6}$/) as string,
      expires_in_seconds: 600,
    });
    const rows = await app.db.selectFrom("tv_pairings").selectAll().execute();
    const kept = JSON.stringify([rows, app.logLines]);
    for (const secret of [json.secret, json.code] as string[]) expect(kept).not.toContain(secret);
  });

  test("a TV whose code an administrator enters can load the screen with its secret", async () => {
    const { secret, code } = await makeCode();
    expect((await stateOf(secret)).json).toEqual({ state: "waiting" });
    expect((await screenOf(secret)).status).toBe(401);
    const typed = `${code.slice(0, 3)} ${code.slice(3)}`.toLowerCase();
    const answer = await enter(typed);
    expect([answer.status, answer.json]).toEqual([201, { id: 1, message: "„Theke“ ist verbunden." }]);
    expect((await stateOf(secret)).json).toEqual({ state: "paired" });
    expect((await screenOf(secret)).status).toBe(200);
    expect((await anna.get("/api/admin/tv")).json).toMatchObject([{ name: "Theke", by: "Anna" }]);
    const { entries } = (await anna.get("/api/admin/audit")).json;
    expect(entries[0]).toMatchObject({ action: "tv-paired", text: "Fernseher „Theke“ mit seinem Code verbunden." });
  });

  test("a TV pairing code that two administrators enter concurrently pairs the TV only once", async () => {
    const ben = await app.createMember("ben", ["admin"]);
    const { code } = await makeCode();
    const answers = await Promise.all([enter(code), enter(code, ben, "Keller")]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422]);
    const used = answers.find(({ status }) => status === 422)!;
    expect(used.json.errors).toEqual({ code: ["Mit diesem Code ist schon ein Fernseher verbunden."] });
    expect((await anna.get("/api/admin/tv")).json).toHaveLength(1);
  });

  test("a TV pairing code expires after ten minutes, and a job deletes it", async () => {
    const { secret, code } = await makeCode();
    app.clock.time += tvCodeLifetime;
    expect((await stateOf(secret)).json).toEqual({ state: "expired" });
    expect((await enter(code)).json.errors).toEqual({ code: [noSuchCode] });
    for (const { run } of jobs) await run(app.context);
    expect(await app.db.selectFrom("tv_pairings").selectAll().execute()).toEqual([]);
    expect((await stateOf(secret)).status).toBe(404);
  });

  test.each(["AAAAAA", "12345", "ABC-DEFG", "O0I1LL"])(
    "the unknown pairing code %s is refused with an error at its field",
    async (code) => {
      const { status, json } = await enter(code);
      expect([status, json.errors]).toEqual([422, { code: [noSuchCode] }]);
    },
  );

  test("an administrator can enter at most five wrong TV pairing codes a minute", async () => {
    const { code } = await makeCode();
    for (let attempt = 0; attempt < 5; attempt++) expect((await enter("AAAAAA")).status).toBe(422);
    const { status, json } = await enter(code);
    expect([status, json.errors]).toEqual([
      429,
      { code: ["Zu viele falsche Codes. Versuche es bitte in 60 Sekunden nochmal."] },
    ]);
    app.clock.time += 60_000;
    expect((await enter(code)).status).toBe(201);
  });

  test("a TV pairing code is not accepted as a TV token or as a TV's secret", async () => {
    const { code } = await makeCode();
    expect((await screenOf(code)).status).toBe(401);
    expectRefusal(await stateOf(code), 404, "Nicht gefunden.");
    expectRefusal(await television.get("/api/tv/code"), 404, "Nicht gefunden.");
  });

  test("only an administrator can enter a TV pairing code", async () => {
    const ben = await app.createMember("ben");
    const { code } = await makeCode();
    expect((await enter(code, ben)).status).toBe(403);
  });
});

describe("limits of pairing codes", () => {
  test("requests for TV pairing codes are limited per IP address", async () => {
    for (let count = 0; count < 30; count++) expect((await television.post("/api/tv/code")).status).toBe(201);
    expect((await television.post("/api/tv/code")).status).toBe(429);
  });

  test("the total number of pending TV pairing codes is limited, not counting expired codes", async () => {
    const expires_at = app.clock.time + tvCodeLifetime;
    const rows = Array.from({ length: maxWaitingCodes }, (_, index) => ({
      code_hash: `code ${index}`,
      secret_hash: `secret ${index}`,
      expires_at,
      paired_at: null,
    }));
    await app.db.insertInto("tv_pairings").values(rows).execute();
    const refused = "Zu viele Fernseher warten gerade auf ihre Verbindung. Versuche es bitte gleich nochmal.";
    expectRefusal(await television.post("/api/tv/code"), 429, refused);
    app.clock.time = expires_at;
    expect((await television.post("/api/tv/code")).status).toBe(201);
    expect(await app.db.selectFrom("tv_pairings").selectAll().execute()).toHaveLength(1);
  });
});
