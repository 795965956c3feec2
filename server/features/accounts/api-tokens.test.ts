// Also on PostgreSQL: tokens are found by a join of two tables.
import { beforeEach, describe, expect, test } from "vitest";

import { maxTokens } from "#contract/api-tokens.ts";
import { updateDisabledAt } from "#server/features/members/store.ts";
import type { Client } from "#test/client.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { connectSocket } from "#test/socket-client.ts";
import { createTestApp, type TestApp } from "#test/test-app.ts";

const day = 24 * 60 * 60_000;
const counters = "/api/beercounter/counters";

let app: TestApp;
let anna: Client;
beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna");
});

async function makeToken(scope: "read" | "tap", days = 90, name = "Knopf"): Promise<string> {
  const { status, json } = await anna.post("/api/user/tokens", { name, scope, days });
  expect(status).toBe(201);
  return json.token;
}

function callWith(token: string, headers: Record<string, string> = {}): Client {
  return app.createClient({ authorization: `Bearer ${token}`, ...headers });
}

describe("API tokens", () => {
  test("a new API token is shown only once, stored as a hash, and announced by mail", async () => {
    const token = await makeToken("read");
    expect(token).toMatch(/^st_[A-Za-z0-9_-]{43}$/);
    const list = (await anna.get("/api/user/tokens")).json;
    expect(list).toEqual([
      {
        id: list[0].id,
        name: "Knopf",
        scope: "read",
        created_at: new Date(app.clock.time).toISOString(),
        expires_at: new Date(app.clock.time + 90 * day).toISOString(),
        last_used_at: null,
      },
    ]);
    const rows = await app.db.selectFrom("api_tokens").selectAll().execute();
    const mails = await app.db.selectFrom("outbox").select("message").where("kind", "=", "mail").execute();
    const subjects = mails.map(({ message }) => JSON.parse(message).subject);
    expect(subjects).toEqual(["Du hast einen neuen API-Token – Stammtisch"]);
    expect(JSON.stringify([list, rows, app.logLines])).not.toContain(token.slice(3));
    const kinds = (await anna.get("/api/user/events")).json.map(({ kind }: { kind: string }) => kind);
    expect(kinds).toContain("token-added");
  });

  test("an API token with the scope read returns the counters but cannot book beers or export data", async () => {
    const program = callWith(await makeToken("read"));
    expect((await program.get(counters)).json).toEqual({ KSKCounterVal: 0, userCounterVal: 0 });
    expectRefusal(await program.post(counters), 403, "Dieser API-Token darf das nicht.");
    expectRefusal(await program.get("/api/user/export"), 403, "Dieser API-Token darf das nicht.");
  });

  test("an API token with the scope tap books and undoes beers but cannot read the counters", async () => {
    const program = callWith(await makeToken("tap"));
    const key = { "idempotency-key": "knopf-0001" };
    const booked = await program.post(counters, {}, key);
    expect([booked.status, booked.json.userCounterVal]).toEqual([200, 1]);
    const again = await program.post(counters, {}, key);
    expect([again.json.userCounterVal, again.headers["idempotent-replayed"]]).toEqual([1, "true"]);
    expect((await program.delete("/api/beercounter/taps/knopf-0001")).json.userCounterVal).toBe(0);
    expectRefusal(await program.get(counters), 403, "Dieser API-Token darf das nicht.");
  });

  test("a tap with an API token is refused without an idempotency key", async () => {
    const { status, json } = await callWith(await makeToken("tap")).post(counters);
    expect([status, Object.keys(json.errors)]).toEqual([422, ["Idempotency-Key"]]);
    expect((await anna.get(counters)).json.userCounterVal).toBe(0);
  });

  test("a request with an API token ignores the session cookie and gets no cookie", async () => {
    const ben = await app.createMember("ben");
    const token = await makeToken("tap");
    const answer = await ben.post(counters, {}, { authorization: `Bearer ${token}`, "idempotency-key": "knopf-0001" });
    expect([answer.status, answer.headers["set-cookie"]]).toEqual([200, undefined]);
    expect((await ben.get(counters)).json.userCounterVal).toBe(0);
    expect((await anna.get(counters)).json.userCounterVal).toBe(1);
  });

  test("an Authorization header without an API token is ignored in favour of the session cookie", async () => {
    for (const authorization of ["Basic YW5uYTp4", "Bearer eyJhbGciOi", "Bearer"])
      expect((await anna.get(counters, { authorization })).status, authorization).toBe(200);
  });

  test("API tokens that are unknown, expired, revoked or a disabled member's are refused with 401", async () => {
    const unknown = `st_${"A".repeat(43)}`;
    const expired = await makeToken("read", 30, "Alt");
    const revoked = await makeToken("read", 0, "Weg");
    const valid = await makeToken("read", 0, "Da");
    const list = (await anna.get("/api/user/tokens")).json as { id: number; name: string }[];
    const { id } = list.find(({ name }) => name === "Weg")!;
    expect((await anna.delete(`/api/user/tokens/${id}`)).json).toEqual({ message: "API-Token widerrufen." });
    expect((await anna.delete(`/api/user/tokens/${id}`)).status).toBe(404);
    expect((await callWith(expired).get(counters)).status).toBe(200);
    app.clock.time += 30 * day;
    for (const token of [unknown, expired, revoked]) expect((await callWith(token).get(counters)).status).toBe(401);
    expect((await callWith(valid).get(counters)).status).toBe(200);
    await updateDisabledAt(app.db, 1, app.clock.now());
    expect((await callWith(valid).get(counters)).status).toBe(401);
  });

  test("a new password revokes all API tokens of the member", async () => {
    const token = await makeToken("read");
    const body = {
      password: "Zapfhahn-im-Garten-4",
      password_confirmation: "Zapfhahn-im-Garten-4",
    };
    expect((await anna.post("/api/user/changePassword", body)).status).toBe(200);
    expect((await callWith(token).get(counters)).status).toBe(401);
    expect((await anna.get("/api/user/tokens")).json).toEqual([]);
  });

  test("a member can neither see nor revoke another member's API token", async () => {
    await makeToken("read");
    const { id } = (await anna.get("/api/user/tokens")).json[0];
    const ben = await app.createMember("ben");
    expect((await ben.get("/api/user/tokens")).json).toEqual([]);
    expect((await ben.delete(`/api/user/tokens/${id}`)).status).toBe(404);
    expect((await anna.get("/api/user/tokens")).json).toHaveLength(1);
  });

  test("a member's eleventh API token is refused", async () => {
    for (let count = 0; count < maxTokens; count++) await makeToken("read");
    const answer = await anna.post("/api/user/tokens", { name: "Elf", scope: "read", days: 0 });
    expectRefusal(answer, 422, "Mehr als zehn API-Tokens gehen nicht. Widerrufe zuerst einen anderen.");
  });

  test("an API token cannot subscribe to a realtime channel", async () => {
    const program = callWith(await makeToken("read"));
    const socket = await connectSocket(app, "");
    const body = { socket_id: socket.id, channel_name: "private-beercounter" };
    expect((await program.post("/broadcasting/auth", body)).status).toBe(403);
  });

  test("the rate limit of an API token does not affect the session of its member", async () => {
    app = await createTestApp({ RATE_LIMIT_FACTOR: "1" });
    anna = await app.createMember("anna");
    const program = callWith(await makeToken("read"));
    const statuses = await Promise.all(Array.from({ length: 121 }, async () => (await program.get(counters)).status));
    expect(statuses.filter((status) => status === 429)).toHaveLength(1);
    expect((await anna.get(counters)).status).toBe(200);
  });

  test("the last use of an API token is stored at most once a minute", async () => {
    const program = callWith(await makeToken("read"));
    const first = app.clock.time;
    await program.get(counters);
    app.clock.time += 59_999;
    await program.get(counters);
    expect((await anna.get("/api/user/tokens")).json[0].last_used_at).toBe(new Date(first).toISOString());
  });

  test("the OpenAPI document names the API token scopes of each endpoint", async () => {
    const { status, json } = await callWith(await makeToken("tap")).get("/api/openapi");
    expect(status).toBe(200);
    expect(json.paths["/api/beercounter/counters"].get.security).toEqual([{ session: [] }, { token: ["read"] }]);
    expect(json.paths["/api/beercounter/counters"].post.security[1]).toEqual({ token: ["tap"] });
    expect(json.paths["/api/user/export"].get.security).toEqual([{ session: [] }]);
  });
});
