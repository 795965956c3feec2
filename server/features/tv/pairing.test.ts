import { randomUUID } from "node:crypto";

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

  test("a TV can load its screen with its secret after an administrator has entered its code", async () => {
    const { secret, code } = await makeCode();
    expect((await stateOf(secret)).json).toEqual({ state: "waiting" });
    expect((await screenOf(secret)).status).toBe(401);
    const typed = `${code.slice(0, 3)} ${code.slice(3)}`.toLowerCase();
    const answer = await enter(typed);
    expect([answer.status, answer.json]).toEqual([201, { id: 1, message: "„Theke“ ist verbunden." }]);
    expect((await stateOf(secret)).json).toEqual({ state: "paired", scope: "tv" });
    expect((await screenOf(secret)).status).toBe(200);
    expect((await anna.get("/api/admin/tv")).json).toMatchObject([{ name: "Theke", by: "Anna" }]);
    const { entries } = (await anna.get("/api/admin/audit")).json;
    expect(entries[0]).toMatchObject({ action: "tv-paired", text: "Fernseher „Theke“ mit seinem Code verbunden." });
  });

  test(
    "a TV pairing code that two administrators enter concurrently pairs the TV only once",
    { tags: "postgres" },
    async () => {
      const ben = await app.createMember("ben", ["admin"]);
      const { code } = await makeCode();
      const answers = await Promise.all([enter(code), enter(code, ben, "Keller")]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422]);
      const used = answers.find(({ status }) => status === 422)!;
      expect(used.json.errors).toEqual({ code: ["Mit diesem Code ist schon ein Gerät verbunden."] });
      expect((await anna.get("/api/admin/tv")).json).toHaveLength(1);
    },
  );

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

  test("any member can pair a TV, but only an administrator can pair a tablet", async () => {
    const ben = await app.createMember("ben");
    const { code, secret } = await makeCode();
    const pairTablet = (client: Client) => client.post(path, { code, name: "Kühlschrank", scope: "tablet" });
    expectRefusal(await pairTablet(ben), 403, "Diese Aktion ist nicht autorisiert.");
    expect((await stateOf(secret)).json).toEqual({ state: "waiting" });
    expect((await pairTablet(anna)).status).toBe(201);
    expect((await stateOf(secret)).json).toEqual({ state: "paired", scope: "tablet" });
    expect((await enter((await makeCode()).code, ben)).status).toBe(201);
    expect((await enter((await makeCode()).code, app.createClient())).status).toBe(401);
    expect((await anna.get("/api/admin/tv")).json).toMatchObject([
      { scope: "tv", by: "Ben" },
      { scope: "tablet", by: "Anna" },
    ]);
  });

  test("with ADMIN_PASSKEY, pairing a tablet needs a passkey, and pairing a TV does not", async () => {
    const strict = await app.reopen({ ADMIN_PASSKEY: "1" });
    const admin = anna.through(strict);
    const { code } = await makeCode();
    expect((await admin.post(path, { code, name: "Kühlschrank", scope: "tablet" })).status).toBe(423);
    expect((await admin.post(path, { code, name: "Theke" })).status).toBe(201);
  });
});

describe("limits of pairing codes", () => {
  const makeCodeAt = (address: string) => television.post("/api/tv/code", {}, { "x-forwarded-for": address });
  const listCodes = () => app.db.selectFrom("tv_pairings").select("code_hash").orderBy("id").execute();

  async function takeCodes(count: number, paired_at: number | null = null): Promise<void> {
    const expires_at = app.clock.time + tvCodeLifetime;
    const rows = Array.from({ length: count }, () => {
      const [code_hash, secret_hash] = [randomUUID(), randomUUID()];
      return { code_hash, secret_hash, expires_at, paired_at };
    });
    await app.db.insertInto("tv_pairings").values(rows).execute();
  }

  beforeEach(async () => {
    app = await createTestApp({ RATE_LIMIT_FACTOR: "1", TRUST_PROXY: "127.0.0.1" });
    television = app.createClient();
    await television.get("/login");
  });

  test.each([
    ["192.0.2.0/24", (host: number) => `192.0.2.${host}`, "192.0.3.1"],
    ["2001:db8:1::/48", (host: number) => `2001:db8:1:${host}::1`, "2001:db8:2::1"],
  ])(
    "all addresses of the network %s together get thirty TV pairing codes in ten minutes",
    async (_, inside, other) => {
      for (let host = 1; host <= 30; host++) expect((await makeCodeAt(inside(host))).status).toBe(201);
      expect((await makeCodeAt(inside(31))).status).toBe(429);
      expect((await makeCodeAt(other)).status).toBe(201);
      app.clock.time += 600_000;
      expect((await makeCodeAt(inside(31))).status).toBe(201);
    },
  );

  test("many networks that request TV pairing codes do not keep a TV from getting one", async () => {
    const { secret } = (await makeCodeAt("198.51.100.1")).json as { secret: string };
    await takeCodes(maxWaitingCodes - 17);
    for (let network = 1; network <= 17; network++) expect((await makeCodeAt(`10.0.${network}.1`)).status).toBe(201);
    expect((await stateOf(secret)).status).toBe(404);
    const next = (await makeCodeAt("198.51.100.1")).json as { secret: string };
    expect((await stateOf(next.secret)).json).toEqual({ state: "waiting" });
    expect(await listCodes()).toHaveLength(maxWaitingCodes);
  });

  test("a new TV pairing code replaces the oldest unused one if all are taken, and no code that paired a TV", async () => {
    await takeCodes(1, app.clock.time);
    await takeCodes(maxWaitingCodes);
    const [paired, oldest, next] = await listCodes();
    expect((await makeCodeAt("192.0.2.1")).status).toBe(201);
    const kept = await listCodes();
    expect(kept).toHaveLength(maxWaitingCodes + 1);
    expect(kept.slice(0, 2)).toEqual([paired, next]);
    expect(kept).not.toContainEqual(oldest);
  });
});
