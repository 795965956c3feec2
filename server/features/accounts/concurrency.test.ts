import { beforeEach, describe, expect, test } from "vitest";

import { updatePasswordHash } from "#server/features/members/store.ts";
import { verifyPassword } from "#server/platform/security/passwords.ts";
import type { ClientResponse, Client } from "#test/client.ts";
import { expectErrors } from "#test/expect-response.ts";
import { afterReading, isAnyoneWaiting } from "#test/held-query.ts";
import { type TestApp, createTestApp, hashCost, password } from "#test/test-app.ts";
import { createInvitation } from "./invitation-actions.ts";
import { changeDisabled } from "./management-actions.ts";
import { createResetLink } from "./reset-actions.ts";

const newPassword = "Lindenblatt und Hopfen";
const chosen = { password: newPassword, password_confirmation: newPassword };
const wrongText = "Diese Kombination aus Zugangsdaten wurde nicht in unserer Datenbank gefunden.";
/** Argon2 hash of the word "password" with weaker parameters than the app requires. */
const weakHash = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";

let app: TestApp;
let anna: Client;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna");
});

const change = async (client = anna) => client.post("/api/user/changePassword", chosen);

async function reset(): Promise<ClientResponse> {
  const link = await createResetLink(app.db, app.context, 1, { by: null });
  return app.createClient().post("/api/reset-password", { token: link!.url.split("#token=")[1], ...chosen });
}

const disable = (isDisabled: boolean) => changeDisabled(app.context, 1, null, isDisabled);
const login = (client: Client, typed: string) => client.post("/api/login", { uname: "anna", password: typed });
const countSessions = async () => (await app.db.selectFrom("sessions").select("id").execute()).length;
const isLoggedIn = async (client: Client) => (await client.get("/api/checkLoginStatus")).json.user !== null;

async function hashOfAnna(): Promise<string> {
  const { password_hash } = await app.db.selectFrom("users").select("password_hash").executeTakeFirstOrThrow();
  return password_hash;
}

/** Sends a request, and runs `happen` once the request has read the password hash. */
const meanwhile = (send: () => Promise<ClientResponse>, happen: () => Promise<unknown>) =>
  afterReading(app.holdQuery, "password_hash", send, happen);

describe("login with the old password", { tags: "postgres" }, () => {
  test.each<[string, () => Promise<unknown>, number]>([
    ["it is changed", () => change(), 1],
    ["it is reset", reset, 0],
    ["the member is disabled", () => disable(true), 0],
    ["the account is deleted", () => anna.post("/api/user/delete", { uname: "anna", password, beers: "keep" }), 0],
  ])("a login with the old password fails and leaves no session if %s during the login", async (_, happen, left) => {
    await app.createUser("ben", ["admin"]);
    const client = app.createClient();
    const answer = await meanwhile(() => login(client, password), happen);
    expectErrors(answer, { uname: [wrongText] });
    expect(await countSessions()).toBe(left);
    await app.db.updateTable("users").set({ disabled_at: null }).execute();
    expect(await isLoggedIn(client), "also once the account is enabled again").toBe(false);
  });

  test("a login that hashes the old password again does not overwrite a new password that was set during the login", async () => {
    await updatePasswordHash(app.db, 1, weakHash);
    const answer = await meanwhile(() => login(app.createClient(), "password"), reset);
    expect(answer.status).toBe(422);
    expect(await verifyPassword(await hashOfAnna(), newPassword, 1)).toBe(true);
  });
});

test("a login replaces a weak hash with a stronger hash of the same password", async () => {
  await updatePasswordHash(app.db, 1, weakHash);
  expect((await login(app.createClient(), "password")).status).toBe(200);
  expect(await hashOfAnna()).toContain(`$m=${hashCost.memory},t=${hashCost.passes},p=1$`);
  expect((await login(app.createClient(), "password")).status).toBe(200);
});

describe("old password during a reset", { tags: "postgres" }, () => {
  test("the old password cannot confirm a session while the password is being reset", async () => {
    const answer = await meanwhile(() => anna.post("/api/user/confirmPassword", { password }), reset);
    expectErrors(answer, { password: ["Das Passwort ist falsch."] });
    expect([await countSessions(), await isLoggedIn(anna)]).toEqual([0, false]);
  });

  test("the old password cannot delete the account while the password is being reset", async () => {
    await app.createUser("ben", ["admin"]);
    const body = { uname: "anna", password, beers: "remove" };
    expect((await meanwhile(() => anna.post("/api/user/delete", body), reset)).status).toBe(422);
    expect((await login(app.createClient(), newPassword)).status).toBe(200);
  });
});

test(
  "an account deletion is refused if the session ends during the request, even if the password was entered just before",
  { tags: "postgres" },
  async () => {
    await app.createUser("ben", ["admin"]);
    const send = () => anna.post("/api/user/delete", { uname: "anna", beers: "remove" });
    expect((await afterReading(app.holdQuery, "users", send, reset)).status).toBe(401);
  },
);

test(
  "only one of two simultaneous password changes in two sessions succeeds, and the session of the refused change ends",
  { tags: "postgres" },
  async () => {
    const other = app.createClient();
    await login(other, password);
    const second = { password: `${newPassword}!`, password_confirmation: `${newPassword}!` };
    const answers = await Promise.all([change(), other.post("/api/user/changePassword", second)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 401]);
    const isFirst = answers[0].status === 200;
    expect([await isLoggedIn(anna), await isLoggedIn(other)]).toEqual([isFirst, !isFirst]);
    expect(await verifyPassword(await hashOfAnna(), isFirst ? newPassword : `${newPassword}!`, 1)).toBe(true);
  },
);

// SQLite has a single writer, so these interleavings need PostgreSQL.
describe("uncommitted transactions", { tags: "postgres-only" }, () => {
  /** Starts `second` while `first` waits after executing its `statement` on `table`. */
  async function overlap(
    statement: "InsertQueryNode" | "UpdateQueryNode",
    first: () => Promise<ClientResponse>,
    second: () => Promise<unknown>,
    table = "sessions",
  ): Promise<ClientResponse> {
    const written = app.holdQuery(statement, table);
    const sent = first();
    await written.reached;
    let isDone = false;
    const other = second().finally(() => (isDone = true));
    await expect.poll(async () => isDone || (await isAnyoneWaiting(app.db))).toBe(true);
    written.release();
    await other;
    return sent;
  }

  test.each<[string, () => Promise<unknown>, number]>([
    ["a password change", () => change(), 1],
    ["a reset", reset, 0],
    ["disabling the member", () => disable(true), 0],
  ])("%s also ends a session whose login is not yet committed", async (_, second, left) => {
    const client = app.createClient();
    await client.get("/sanctum/csrf-cookie");
    const answer = await overlap("InsertQueryNode", () => login(client, password), second);
    expect(answer.status).toBe(200);
    await disable(false);
    expect([await countSessions(), await isLoggedIn(client)]).toEqual([left, false]);
  });

  test("a password change waits until an earlier password change is committed, and is then refused", async () => {
    const other = app.createClient();
    await login(other, password);
    let late: ClientResponse | undefined;
    const first = await overlap("UpdateQueryNode", change, async () => (late = await change(other)));
    expect([first.status, late?.status]).toEqual([200, 401]);
    expect([await isLoggedIn(anna), await isLoggedIn(other)]).toEqual([true, false]);
  });

  test.each<[string, (ben: Client, id: number) => Promise<unknown>]>([
    ["disabled", (_, id) => changeDisabled(app.context, id, null, true)],
    ["deleted", (ben) => ben.post("/api/user/delete", { uname: "ben", password, beers: "keep" })],
  ])("a registration succeeds while the member who invited is being %s", async (_, leave) => {
    await app.createUser("greta", ["admin"]);
    const ben = await app.createMember("ben", ["admin"]);
    const createdBy = (await ben.get("/api/checkLoginStatus")).json.user.id;
    const { token } = await createInvitation(app.context, { permissions: [], days: 1, uses: 1, createdBy });
    const form = { token, uname: "clara", name: "Clara", email: "clara@stammtisch.example", ...chosen };
    const guest = app.createClient();
    await guest.get("/sanctum/csrf-cookie");
    const register = () => guest.post("/api/register", form);
    const answer = await overlap("UpdateQueryNode", register, () => leave(ben, createdBy), "invitations");
    expect([answer.status, await isLoggedIn(ben)]).toEqual([201, false]);
  });

  test("a member's name can be changed while the member's beer is being booked", async () => {
    const form = { uname: "annika", name: "Annika", email: "anna@stammtisch.example" };
    let renamed: ClientResponse | undefined;
    const drink = () => anna.post("/api/beercounter/counters");
    const beer = await overlap(
      "UpdateQueryNode",
      drink,
      async () => (renamed = await anna.post("/api/user/update", form)),
      "beer_group",
    );
    expect([beer.status, renamed?.status]).toEqual([200, 200]);
  });
});
