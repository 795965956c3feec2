import { beforeEach, describe, expect, test } from "vitest";

import type { Permission } from "#contract/endpoint.ts";
import type { ClientResponse } from "#test/client.ts";
import { runCommandOn } from "#test/command-line.ts";
import { connectPage } from "#test/socket-client.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";
import { commands } from "./commands.ts";
import { createInvitation, openFirstInvitation } from "./invitation-actions.ts";
import { createInvitationToken, normalizeToken } from "./invitation-rules.ts";

const day = 24 * 60 * 60_000;
const badToken = { token: ["Anmelde-Token ist ungültig oder abgelaufen."] };

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

async function invite(uses = 1, permissions: readonly Permission[] = []): Promise<string> {
  return (await createInvitation(app.context, { permissions, days: 7, uses, createdBy: null })).token;
}

const formOf = (uname: string, token: string, changes: object = {}) => ({
  token,
  uname,
  name: "Neuling",
  email: `${uname}@stammtisch.example`,
  password,
  password_confirmation: password,
  ...changes,
});

const register = (uname: string, token: string, changes: object = {}): Promise<ClientResponse> =>
  app.createClient().post("/api/register", formOf(uname, token, changes));

async function usesLeft(): Promise<number[]> {
  const rows = await app.db.selectFrom("invitations").select("uses_left").orderBy("id").execute();
  return rows.map(({ uses_left }) => uses_left);
}

async function unames(): Promise<string[]> {
  return (await app.db.selectFrom("users").select("uname").orderBy("id").execute()).map(({ uname }) => uname);
}

/**
 * Sends all forms concurrently. Each session fetches its CSRF token first, so that the
 * registrations themselves coincide.
 */
async function registerTogether(forms: readonly object[]): Promise<ClientResponse[]> {
  const clients = await Promise.all(
    forms.map(async () => {
      const client = app.createClient();
      await client.get("/sanctum/csrf-cookie");
      return client;
    }),
  );
  return Promise.all(clients.map((client, index) => client.post("/api/register", forms[index])));
}

describe("POST /api/register", () => {
  test("registering with an invitation creates a member who has the invitation's permissions and can log in", async () => {
    const token = await invite(1, ["see-game-servers", "admin"]);
    const answer = await register("greta", token, { name: "  Greta  " });
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.json)).toEqual(["message", "is_host"]);
    const greta = app.createClient();
    const { user } = (await greta.post("/api/login", { uname: "greta", password })).json;
    expect(user).toEqual({
      id: 1,
      uname: "greta",
      name: "Greta",
      email: "greta@stammtisch.example",
      permissions: ["see-game-servers", "admin"],
      avatarId: null,
      profile_picture: null,
    });
  });

  test("a registration sends an event that updates the ranking on open pages", async () => {
    const page = await connectPage(app, await app.createMember("anna"));
    await register("greta", await invite());
    expect((await page.next("updated")).data).toMatchObject({ counterVal: 0, userId: null });
  });

  test("a registration does not log the new member in", async () => {
    const client = app.createClient();
    await client.post("/api/register", formOf("greta", await invite()));
    expect((await client.get("/api/checkLoginStatus")).json.user).toBeNull();
  });

  test.each([100, 20, 20])(
    "%d concurrent registrations with one invitation create exactly one member",
    { tags: "postgres" },
    async (many) => {
      const token = await invite();
      const answers = await registerTogether(Array.from({ length: many }, (_, index) => formOf(`neu-${index}`, token)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      const refused = answers.filter(({ status }) => status === 422);
      expect(refused).toHaveLength(many - 1);
      for (const { json } of refused) expect(json.errors).toEqual(badToken);
      expect(await unames()).toHaveLength(1);
    },
  );

  test(
    "the 99 refused of a hundred concurrent registrations with one user name do not use up their invitations",
    { tags: "postgres" },
    async () => {
      const tokens = await Promise.all(Array.from({ length: 100 }, () => invite()));
      const answers = await registerTogether(
        tokens.map((token, index) => formOf("greta", token, { email: `g${index}@stammtisch.example` })),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      const refused = answers.filter(({ status }) => status === 422);
      expect(refused).toHaveLength(99);
      for (const { json } of refused) expect(json.errors).toEqual({ uname: ["Benutzername ist bereits vergeben."] });
      expect((await usesLeft()).filter((uses) => uses === 1)).toHaveLength(99);
    },
  );

  test(
    "an invitation for three members allows only three of eight concurrent registrations",
    { tags: "postgres" },
    async () => {
      const token = await invite(3);
      const answers = await registerTogether(Array.from({ length: 8 }, (_, index) => formOf(`neu-${index}`, token)));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
      expect(await usesLeft()).toEqual([0]);
    },
  );

  test("unknown, used, revoked and expired invitations get the same answer, which does not reveal taken names", async () => {
    await app.createUser("anna");
    const [used, revoked, expired] = [await invite(), await invite(), await invite()];
    await register("greta", used);
    await app.db.updateTable("invitations").set({ revoked_at: 1 }).where("id", "=", 2).execute();
    const early = await createInvitation(app.context, { permissions: [], days: 8, uses: 1, createdBy: null });
    app.clock.time += 7 * day;
    const taken = { email: "anna@stammtisch.example" };
    const bodies = new Set<string>();
    for (const token of [used, revoked, expired, createInvitationToken(), "x", "0".repeat(26), "€".repeat(400)]) {
      const answer = await register("anna", token, taken);
      expect(answer.status).toBe(422);
      bodies.add(answer.text);
    }
    expect([...bodies].map((body) => JSON.parse(body).errors)).toEqual([badToken]);
    const good = await register("anna", early.token, taken);
    expect(good.json.errors).toEqual({
      uname: ["Benutzername ist bereits vergeben."],
      email: ["E-Mail-Adresse ist bereits vergeben."],
    });
  });

  test("an invitation for seven days is valid until the last millisecond of the seventh day", async () => {
    const [first, second] = [await invite(), await invite()];
    app.clock.time += 7 * day - 1;
    expect((await register("greta", first)).status).toBe(201);
    app.clock.time += 1;
    expect((await register("hannes", second)).json.errors).toEqual(badToken);
  });

  test("a refused registration names the problems of all fields at once", async () => {
    const mistakes = { name: "", email: "greta", password: "PASSWORD", password_confirmation: "PASSWORT" };
    const ofFields = {
      name: ["Name muss ausgefüllt werden."],
      email: ["E-Mail-Adresse muss eine gültige E-Mail-Adresse sein."],
      password: [
        "Passwort wurde in einem Datenleck gefunden. Bitte wähle ein anderes Passwort.",
        "Passwort stimmt nicht mit der Bestätigung überein.",
      ],
    };
    const short = ["Benutzername muss mindestens 2 Zeichen lang sein."];
    expect((await register("g", "x", mistakes)).json.errors).toEqual({ ...badToken, uname: short, ...ofFields });

    await app.createUser("anna");
    const taken = ["Benutzername ist bereits vergeben."];
    expect((await register("anna", "x", mistakes)).json.errors).toEqual({ ...badToken, ...ofFields });
    expect((await register("anna", await invite(), mistakes)).json.errors).toEqual({ uname: taken, ...ofFields });
    expect(await usesLeft()).toEqual([1]);
  });

  test.each<[string, object]>([
    ["a password that is too short", { password: "kurz", password_confirmation: "kurz" }],
    ["a confirmation that differs", { password_confirmation: `${password}!` }],
    ["no name", { name: "   " }],
    ["a broken address", { email: "greta" }],
    ["a broken uname", { uname: "gr eta" }],
  ])("a registration with %s does not use up the invitation", async (_, mistake) => {
    const token = await invite();
    expect((await register("greta", token, mistake)).status).toBe(422);
    expect(await usesLeft()).toEqual([1]);
    expect((await register("greta", token)).status).toBe(201);
  });

  test("a registration ignores fields that its form does not have, such as id and permissions", async () => {
    const more = { id: 99, permissions: ["admin"], isAdmin: true, uname_key: "x", created_at: 0, avatarId: "x" };
    expect((await register("greta", await invite(), more)).status).toBe(201);
    const greta = await app.db.selectFrom("users").selectAll().executeTakeFirstOrThrow();
    expect([greta.id, greta.uname_key, greta.avatar_id]).toEqual([1, "greta", null]);
    expect(await app.db.selectFrom("user_permissions").selectAll().execute()).toEqual([]);
    expect(greta.created_at).toBe(app.clock.time);
  });
});

describe("POST /api/invitation", () => {
  const ask = (token: string) => app.createClient().post("/api/invitation", { token });

  test("the holder of an invitation learns who invites, which uses nothing up", async () => {
    const anna = await app.createMember("anna", ["admin"]);
    const { token } = (await anna.post("/api/admin/invitations", {})).json;
    for (const typed of [token, token.toLowerCase()]) {
      expect((await ask(typed)).json).toEqual({ invitation: { by: "Anna", guest_name: null } });
    }
    expect(await usesLeft()).toEqual([1]);
    const other = await createInvitation(app.context, { permissions: [], days: 1, uses: 1, createdBy: null });
    expect((await ask(other.token)).json).toEqual({ invitation: { by: null, guest_name: null } });
  });

  test.each(["quiet", "hidden"])("a %s member invites without a name", async (visibility) => {
    const anna = await app.createMember("anna", ["admin"]);
    const { token } = (await anna.post("/api/admin/invitations", {})).json;
    await anna.post("/api/user/presence", { visibility });
    expect((await ask(token)).json).toEqual({ invitation: { by: null, guest_name: null } });
  });

  test("unknown, used, revoked and expired invitations, and those of disabled members, get the same answer", async () => {
    const anna = await app.createMember("anna", ["admin"]);
    const ben = await app.createMember("ben", ["admin"]);
    const inviteAs = async (admin: typeof anna) => (await admin.post("/api/admin/invitations", {})).json;
    const [used, revoked, ofBen, expired] = [
      await inviteAs(anna),
      await inviteAs(anna),
      await inviteAs(ben),
      await inviteAs(anna),
    ];
    await register("greta", used.token);
    await anna.delete(`/api/admin/invitations/${revoked.id}`);
    await anna.post("/api/admin/members/2/disabled", { disabled: true });
    const answers = await Promise.all(["x", used.token, revoked.token, ofBen.token].map(ask));
    app.clock.time += 7 * day;
    answers.push(await ask(expired.token));
    for (const { status, json } of answers) expect([status, json]).toEqual([200, { invitation: null }]);
  });
});

describe("invitation token", () => {
  test("an invitation token is accepted in upper or lower case and with any hyphens, blanks and look-alike letters", async () => {
    const token = await invite(100);
    const typed = [
      token.toLowerCase(),
      token.replaceAll("-", ""),
      token.replaceAll("-", " "),
      `  ${token}\n`,
      token.replaceAll("0", "O").replaceAll("1", "I"),
      token.toLowerCase().replaceAll("0", "o").replaceAll("1", "l"),
      token.split("").join("-"),
    ];
    for (const [index, one] of typed.entries()) expect((await register(`neu-${index}`, one)).status, one).toBe(201);
    expect((await register("falsch", token.slice(0, -1))).json.errors).toEqual(badToken);
    expect((await register("falsch", `${token}0`)).json.errors).toEqual(badToken);
  });

  test("an invitation token has 26 unambiguous characters, is unique, and is not stored", async () => {
    const tokens = new Set(Array.from({ length: 2000 }, createInvitationToken));
    expect(tokens.size).toBe(2000);
    for (const token of tokens) expect(token).toMatch(/^([0-9A-HJKMNP-TV-Z]{5}-){4}[0-9A-HJKMNP-TV-Z]{6}$/);
    const token = await invite();
    const stored = JSON.stringify(await app.db.selectFrom("invitations").selectAll().execute());
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(normalizeToken(token));
  });
});

test("the command “invite create” names APP_URL below a link that only this machine can open", async () => {
  const print = async (from: TestApp) => (await runCommandOn(from, commands, "invite create", [])).text.split("\n");
  expect(await print(app)).toEqual([
    expect.stringMatching(/^http:\/\/localhost:3000\/register#token=/),
    expect.stringContaining("Set APP_URL"),
  ]);
  const url = expect.stringMatching(/^https:\/\/stammtisch.example\/register#token=/);
  expect(await print(await app.reopen({ APP_URL: "https://stammtisch.example" }))).toEqual([url]);
});

describe("openFirstInvitation", () => {
  const openFirst = async (from = app) => (await openFirstInvitation(from.context)).split("#token=")[1]!;

  test(
    "the first administrator's invitation is the same on all instances, and every start renews it for seven days",
    { tags: "postgres" },
    async () => {
      const other = await app.reopen();
      const tokens = new Set(await Promise.all([openFirst(), openFirst(other), openFirst(), openFirst(other)]));
      app.clock.time += 8 * day;
      expect((await register("greta", await openFirst())).status).toBe(201);
      expect([tokens.size, await usesLeft()]).toEqual([1, [0]]);
    },
  );

  test("the first registration with any invitation revokes the first administrator's invitation", async () => {
    const first = await openFirst();
    await register("greta", await invite());
    expect((await register("hannes", first)).json.errors).toEqual(badToken);
    expect(await usesLeft()).toEqual([1, 0]);
  });

  test("a start with another app key revokes the first administrator's invitation of the earlier key", async () => {
    const before = await openFirst();
    const other = await app.reopen({ APP_KEY: "another-app-key-of-more-than-32-characters" });
    await openFirst(other);
    expect((await register("hannes", before)).json.errors).toEqual(badToken);
  });

  test("a start does not renew the first administrator's invitation after its use", async () => {
    const first = await openFirst();
    await register("greta", first);
    await openFirst();
    expect((await register("hannes", first)).json.errors).toEqual(badToken);
  });
});
