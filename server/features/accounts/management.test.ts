import { beforeEach, describe, expect, test } from "vitest";

import type { Permission } from "#contract/endpoint.ts";
import { listAdminIds } from "#server/features/members/store.ts";
import type { ClientResponse, Client } from "#test/client.ts";
import { runCommandOn } from "#test/command-line.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { connectPage, connectSocket, subscribe } from "#test/socket-client.ts";
import { createTestApp, password, type TestApp } from "#test/test-app.ts";
import { commands } from "./commands.ts";

const hour = 60 * 60_000;
const nobodyLeft = "Das geht nicht: Dann hätte niemand mehr die Verwaltung.";

let app: TestApp;
let anna: Client;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna", ["admin"]);
});

const permit = (admin: Client, id: number, permissions: readonly Permission[]): Promise<ClientResponse> =>
  admin.post(`/api/admin/members/${id}/permissions`, { permissions });
const disable = (admin: Client, id: number, disabled = true): Promise<ClientResponse> =>
  admin.post(`/api/admin/members/${id}/disabled`, { disabled });
const members = async (admin = anna) => (await admin.get("/api/admin/members")).json;
const lines = async () => (await anna.get("/api/admin/audit")).json.entries;

const adminsLeft = async () => (await listAdminIds(app.db)).length;

describe("GET /api/admin/members", () => {
  test("administrators get every member's data in the list of members", async () => {
    const ben = await app.createMember("ben", []);
    await ben.post("/api/beercounter/counters");
    await app.createUser("carla", []);
    app.clock.time += hour;
    await ben.get("/api/checkLoginStatus");
    const came = new Date(app.clock.time - hour).toISOString();
    const [first, second, third] = await members();
    expect(second).toEqual({
      id: 2,
      uname: "ben",
      name: "Ben",
      email: "ben@stammtisch.example",
      permissions: [],
      disabled: false,
      beers: 1,
      created_at: came,
      last_seen_at: new Date(app.clock.time).toISOString(),
      avatarId: null,
      invitation: null,
      access_links: { invitations: 0, tv_links: 0, reset_links: 0, webhooks: 0 },
    });
    expect([first.uname, first.permissions, third.last_seen_at]).toEqual(["anna", ["admin"], null]);
  });

  test("the list of members shows a member's last visit even after the member logs out", async () => {
    const ben = await app.createMember("ben");
    await ben.post("/api/logout");
    expect((await members())[1].last_seen_at).toBe(new Date(app.clock.time).toISOString());
  });
});

test("a deleted account is not in the list of members and cannot be changed or enabled again", async () => {
  const ben = await app.createMember("ben");
  const gone = await ben.post("/api/user/delete", { password, uname: "ben", beers: "keep" });
  expect(gone.status).toBe(200);
  expect(await members()).toHaveLength(1);
  expect((await disable(anna, 2, false)).status).toBe(404);
  expect((await permit(anna, 2, ["admin"])).status).toBe(404);
  expect((await anna.post("/api/admin/members/2/reset-link")).status).toBe(404);
});

describe("permissions of a member", () => {
  test("changed permissions apply from the member's next request and are audited", async () => {
    const ben = await app.createMember("ben", ["toggle-game-servers"]);
    const answer = await permit(anna, 2, ["admin", "see-game-servers", "admin"]);
    expect([answer.status, answer.json]).toEqual([200, { message: "Rechte gespeichert." }]);
    expect((await ben.get("/api/checkLoginStatus")).json.user.permissions).toEqual(["see-game-servers", "admin"]);
    expect((await lines())[0]).toMatchObject({
      actor: { id: 1, name: "Anna" },
      via: "page",
      action: "permissions-changed",
      member: { id: 2, name: "Ben" },
      text: "Rechte geändert: + Game-Server sehen, + Verwaltung, − Game-Server schalten.",
    });
  });

  test("saving unchanged permissions adds no audit entry", async () => {
    await app.createUser("ben", ["see-game-servers"]);
    expect((await permit(anna, 2, ["see-game-servers"])).status).toBe(200);
    expect(await lines()).toEqual([]);
  });

  test("unknown permissions are refused with an error at the field", async () => {
    await app.createUser("ben", []);
    for (const body of [{ permissions: ["root"] }, { permissions: "admin" }, {}, { permissions: null }]) {
      const answer = await anna.post("/api/admin/members/2/permissions", body);
      expect([answer.status, Object.keys(answer.json.errors)]).toEqual([422, ["permissions"]]);
    }
    expect((await members())[1].permissions).toEqual([]);
  });

  test("changing the permissions of an unknown member is a 404", async () => {
    for (const id of ["99", "0", "-1", "x", "1e3"]) {
      const answer = await anna.post(`/api/admin/members/${id}/permissions`, { permissions: [] });
      expectRefusal(answer, 404, "Nicht gefunden.", id);
    }
  });

  test("a member who loses see-game-servers is removed from the game servers' channel at once", async () => {
    const ben = await app.createMember("ben", ["see-game-servers"]);
    const socket = await connectSocket(app, ben.cookieHeader);
    await subscribe(ben, socket, "private-game-servers");
    await permit(anna, 2, []);
    expect(await socket.next("pusher:subscription_error")).toMatchObject({
      channel: "private-game-servers",
      data: { status: 403 },
    });
  });
});

describe("disabling members", () => {
  test("disabling or enabling a member sends an event that updates the ranking on open pages", async () => {
    await app.createUser("ben", []);
    const page = await connectPage(app, anna);
    for (const disabled of [true, false]) {
      await disable(anna, 2, disabled);
      const { version } = (await page.next("updated")).data;
      expect((await anna.get("/api/beercounter/counters")).headers["counters-version"]).toBe(String(version));
    }
  });

  test("disabling a member ends the sessions, sockets and reset links at once; enabling allows logins again", async () => {
    const ben = await app.createMember("ben");
    const { url } = (await anna.post("/api/admin/members/2/reset-link")).json;
    const socket = await connectSocket(app, ben.cookieHeader);
    expect((await disable(anna, 2)).json).toEqual({ message: "Account gesperrt." });
    expect(await socket.closed).toBe(4009);
    expect((await ben.get("/api/user/sessions")).status).toBe(401);
    expect((await app.createClient().post("/api/login", { uname: "ben", password })).status).toBe(422);
    expect((await members())[1].disabled).toBe(true);

    expect((await disable(anna, 2, false)).json).toEqual({ message: "Account entsperrt." });
    expect((await ben.get("/api/user/sessions")).status).toBe(401);
    const token = new URL(url).hash.replace("#token=", "");
    const reset = { token, password: "Kellerbier-im-Schrank", password_confirmation: "Kellerbier-im-Schrank" };
    expect((await app.createClient().post("/api/reset-password", reset)).status).toBe(422);
    expect((await app.createClient().post("/api/login", { uname: "ben", password })).status).toBe(200);
    expect((await lines()).map(({ action }: { action: string }) => action)).toEqual([
      "member-enabled",
      "member-disabled",
      "reset-link-made",
    ]);
  });

  test("administrators cannot disable themselves", async () => {
    await app.createUser("hannes", ["admin"]);
    expectRefusal(await disable(anna, 1), 422, "Deinen eigenen Account kannst du nicht sperren.");
  });
});

describe("last administrator", () => {
  test("the last enabled administrator cannot lose the admin permission", async () => {
    await app.createUser("hannes", ["admin"]);
    expect((await disable(anna, 2)).status).toBe(200);
    expectRefusal(await permit(anna, 1, ["see-game-servers"]), 422, nobodyLeft);
    expect((await permit(anna, 1, ["admin", "see-game-servers"])).status).toBe(200);
    expect(await adminsLeft()).toBe(1);
  });

  test("a command can disable the last administrator or revoke the permission, and warns that no administrator is left", async () => {
    const command = async (name: string, ...args: string[]) => (await runCommandOn(app, commands, name, args)).text;
    const warning = "Nobody is an administrator any more. To change that: stammtisch user grant UNAME admin";
    await app.createUser("hannes", ["admin"]);
    expect(await command("user disable", "hannes")).toBe("hannes: disabled");
    expect(await command("user revoke", "anna", "admin")).toBe(`anna: no permissions\n${warning}`);
    expect(await command("user grant", "anna", "admin")).toBe("anna: admin");
    expect(await command("user disable", "anna")).toBe(`anna: disabled\n${warning}`);
  });

  test.each(["permissions", "disabled"])(
    "one administrator remains if two administrators take each other's permission or account concurrently (%s)",
    { tags: "postgres" },
    async (what) => {
      for (let round = 0; round < 5; round++) {
        const unames = [`eins-${round}`, `zwei-${round}`];
        await app.db.deleteFrom("user_permissions").execute();
        const pair = [await app.createMember(unames[0]!, ["admin"]), await app.createMember(unames[1]!, ["admin"])];
        const ids = (
          await app.db.selectFrom("users").select("id").where("uname", "in", unames).orderBy("id").execute()
        ).map(({ id }) => id);
        const strike = (by: number, whom: number) =>
          what === "disabled" ? disable(pair[by]!, ids[whom]!) : permit(pair[by]!, ids[whom]!, []);
        const answers = await Promise.all([strike(0, 1), strike(1, 0)]);
        const refused = answers.filter(({ status }) => status !== 200);
        expect(refused).toHaveLength(1);
        expect([401, 403, 422]).toContain(refused[0]!.status);
        expect(await adminsLeft()).toBe(1);
      }
    },
  );
});

describe("administrators' reset links", () => {
  test("an administrator's reset link sets a password once within four hours and is never logged", async () => {
    await app.createUser("ben");
    const { status, json } = await anna.post("/api/admin/members/2/reset-link");
    expect(status).toBe(201);
    expect(json.url).toMatch(/^http:\/\/localhost:3000\/password-reset#token=[\w-]{43}$/);
    expect(json.expires_at).toBe(new Date(app.clock.time + 4 * hour).toISOString());
    const token = new URL(json.url).hash.replace("#token=", "");
    expect(JSON.stringify(await lines())).not.toContain(token);
    expect(JSON.stringify(app.logLines)).not.toContain(token);
    app.clock.time += 4 * hour - 1;
    const form = { token, password: "Kellerbier-im-Schrank", password_confirmation: "Kellerbier-im-Schrank" };
    expect((await app.createClient().post("/api/reset-password", form)).status).toBe(200);
    expect((await app.createClient().post("/api/reset-password", form)).status).toBe(422);
  });

  test("no reset link is created for a disabled member", async () => {
    await app.createUser("ben");
    await disable(anna, 2);
    const answer = await anna.post("/api/admin/members/2/reset-link");
    expectRefusal(answer, 422, "Dieser Account ist gesperrt. Entsperre ihn zuerst.");
  });
});

test("after three hours, administrators must enter the password again to disable members, grant permissions or create links", async () => {
  await app.createUser("ben", []);
  await anna.post("/api/login", { uname: "anna", password, rememberUser: true });
  app.clock.time += 3 * hour;
  const dangerous = [
    () => permit(anna, 2, ["admin"]),
    () => disable(anna, 2),
    () => anna.post("/api/admin/members/2/reset-link"),
    () => anna.post("/api/admin/invitations", { permissions: ["see-game-servers"] }),
    () => anna.post("/api/admin/invitations", { uses: 21 }),
    () => anna.post("/api/admin/tv", { name: "Theke" }),
    () => anna.post("/api/admin/tv-code", { code: "AAAAAA", name: "Theke" }),
  ];
  for (const call of dangerous) expectRefusal(await call(), 423, "Bitte bestätige dein aktuelles Passwort.");
  expect((await members())[1]).toMatchObject({ permissions: [], disabled: false });
  expect((await anna.post("/api/admin/invitations", { uses: 20 })).status).toBe(201);
  await anna.post("/api/user/confirmPassword", { password });
  expect((await permit(anna, 2, ["admin"])).status).toBe(200);
});
