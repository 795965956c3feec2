import { beforeEach, describe, expect, test } from "vitest";

import type { ClientResponse, Client } from "#test/client.ts";
import { expectErrors, expectRefusal } from "#test/expect-response.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";
import { createInvitation } from "./invitation-actions.ts";

const day = 24 * 60 * 60_000;
const path = "/api/admin/invitations";

let app: TestApp;
let anna: Client;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna", ["admin"]);
});

const invite = (body: object = {}): Promise<ClientResponse> => anna.post(path, body);
const list = async (query = "") => (await anna.get(path + query)).json;
const lines = async (query = "") => (await anna.get(`/api/admin/audit${query}`)).json;
const revoke = (id: number | string): Promise<ClientResponse> => anna.delete(`${path}/${id}`);

function register(uname: string, token: string): Promise<ClientResponse> {
  const form = { token, uname, name: "Neuling", email: `${uname}@stammtisch.example` };
  return app.createClient().post("/api/register", { ...form, password, password_confirmation: password });
}

describe("POST /api/admin/invitations", () => {
  test("an invitation grants its permissions, shows its token only once, and lists the members who used it", async () => {
    const made = await invite({ permissions: ["toggle-game-servers", "see-game-servers"], days: 2, uses: 2 });
    expect(made.status).toBe(201);
    const { id, token, url, expires_at } = made.json;
    expect(url).toBe(`http://localhost:3000/register#token=${token}`);
    expect(expires_at).toBe(new Date(app.clock.time + 2 * day).toISOString());
    expect((await register("greta", token)).status).toBe(201);

    const { invitations, has_more } = await list();
    expect([invitations, has_more]).toEqual([
      [
        {
          id,
          by: "Anna",
          state: "open",
          uses_left: 1,
          expires_at,
          permissions: ["see-game-servers", "toggle-game-servers"],
          created_at: new Date(app.clock.time).toISOString(),
          members: [{ id: 2, name: "Neuling", avatarId: null }],
        },
      ],
      false,
    ]);
    const greta = (await anna.get("/api/admin/members")).json[1];
    expect(greta).toMatchObject({
      permissions: ["see-game-servers", "toggle-game-servers"],
      invitation: { id, by: "Anna" },
      last_seen_at: null,
    });
    const audit = await lines();
    expect(audit.entries.map(({ text }: { text: string }) => text)).toEqual([
      `Mit Einladung ${id} dazugekommen.`,
      `Einladung ${id} erstellt (2 Tage, 2 Personen, Game-Server sehen, Game-Server schalten).`,
    ]);
    expect(audit.entries[0]).toMatchObject({ actor: { id: 2, name: "Neuling" }, member: { id: 2 }, via: "page" });
    expect(JSON.stringify([await list(), audit, app.logLines])).not.toContain(token);
  });

  test("an invitation is valid for one member and seven days by default", async () => {
    const { expires_at } = (await invite()).json;
    expect(expires_at).toBe(new Date(app.clock.time + 7 * day).toISOString());
    expect((await list()).invitations[0]).toMatchObject({ uses_left: 1, permissions: [] });
  });

  test.each([
    [{ days: 0 }, "days", "Gültigkeit in Tagen muss zwischen 1 und 30 liegen."],
    [{ days: 31 }, "days", "Gültigkeit in Tagen muss zwischen 1 und 30 liegen."],
    [{ days: 1.5 }, "days", "Der gewählte Wert für Gültigkeit in Tagen ist ungültig."],
    [{ days: "7" }, "days", "Der gewählte Wert für Gültigkeit in Tagen ist ungültig."],
    [{ uses: 0 }, "uses", "Anzahl muss zwischen 1 und 1000 liegen."],
    [{ uses: 1e308 }, "uses", "Anzahl muss zwischen 1 und 1000 liegen."],
    [{ permissions: ["root"] }, "permissions", "Der gewählte Wert für Rechte ist ungültig."],
  ])("POST /api/admin/invitations refuses %o", async (body, field, text) => {
    const answer = await invite(body);
    expectErrors(answer, { [field]: [text] });
    expect((await list()).invitations).toEqual([]);
  });

  test("a revoked invitation cannot be used, and members who used it keep their accounts", async () => {
    const { id, token } = (await invite({ uses: 2 })).json;
    await register("greta", token);
    expect((await revoke(id)).json).toEqual({ message: "Einladung zurückgezogen." });
    expect((await revoke(id)).status).toBe(200);
    expect((await register("emil", token)).json.errors.token).toEqual(["Anmelde-Token ist ungültig oder abgelaufen."]);
    expect((await list()).invitations[0]).toMatchObject({ state: "revoked", members: [{ name: "Neuling" }] });
    const actions = (await lines()).entries.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(["invitation-revoked", "invitation-used", "invitation-made"]);
    expectRefusal(await revoke(99), 404, "Nicht gefunden.");
  });

  test("a refused registration is not recorded in the audit log", async () => {
    const { token } = (await invite()).json;
    expect((await register("anna", token)).status).toBe(422);
    expect((await lines()).entries).toHaveLength(1);
  });
});

test("the list of invitations shows the state of each invitation, including those created on the command line", async () => {
  const { token } = (await invite()).json;
  await register("greta", token);
  await createInvitation(app.context, { permissions: ["admin"], days: 1, uses: 1, createdBy: null });
  await invite({ days: 2 });
  app.clock.time += day;
  await anna.post("/api/login", { uname: "anna", password });
  const { invitations } = await list();
  expect(invitations.map(({ state, by }: { state: string; by: string | null }) => [state, by])).toEqual([
    ["open", "Anna"],
    ["expired", null],
    ["used", "Anna"],
  ]);
  expect((await lines()).entries[1]).toMatchObject({ via: "command", actor: null, action: "invitation-made" });
});

test("the lists of invitations and of audit entries are paginated, newest first, without gaps or repetitions", async () => {
  for (let count = 0; count < 120; count++) {
    await createInvitation(app.context, { permissions: [], days: 1, uses: 1, createdBy: null });
  }
  for (const [read, key] of [
    [list, "invitations"],
    [lines, "entries"],
  ] as const) {
    const seen: number[] = [];
    let query = "";
    for (;;) {
      const page = await read(query);
      const ids: number[] = page[key].map(({ id }: { id: number }) => id);
      expect(ids.length).toBeLessThanOrEqual(50);
      seen.push(...ids);
      if (!page.has_more) break;
      query = `?before=${ids.at(-1)}`;
    }
    expect(seen).toEqual(Array.from({ length: 120 }, (_, index) => 120 - index));
  }
  const answer = await anna.get(`${path}?before=gestern`);
  expect(answer.status).toBe(422);
});

test("the audit log keeps an administrator's entries after the account is deleted", async () => {
  await app.createUser("hannes", ["admin"]);
  const hannes = app.createClient();
  await hannes.post("/api/login", { uname: "hannes", password });
  await hannes.post(path, {});
  await app.db.deleteFrom("users").where("uname", "=", "hannes").execute();
  expect((await lines()).entries).toMatchObject([{ via: "page", actor: null, action: "invitation-made" }]);
  expect((await list()).invitations[0].by).toBeNull();
});
