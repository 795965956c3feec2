import { beforeEach, describe, expect, test } from "vitest";

import type { Permission } from "#contract/endpoint.ts";
import type { Webhook } from "#contract/webhooks.ts";
import { inTransaction } from "#server/db/connect.ts";
import { lockAdmins, updatePermissions } from "#server/features/members/store.ts";
import { createTvLink } from "#server/features/tv/actions.ts";
import type { ClientResponse, Client } from "#test/client.ts";
import { runCommandOn } from "#test/command-line.ts";
import { expectErrors, expectRefusal } from "#test/expect-response.ts";
import { afterReading, isAnyoneWaiting } from "#test/held-query.ts";
import { type TestApp, createTestApp, password } from "#test/test-app.ts";
import { commands } from "./commands.ts";
import { createInvitation } from "./invitation-actions.ts";
import { changePermissions, revokeAccessLinks } from "./management-actions.ts";

const newPassword = "Kellerbier-im-Schrank";

let app: TestApp;
let anna: Client;
let ben: Client;

beforeEach(async () => {
  app = await createTestApp();
  anna = await app.createMember("anna", ["admin"]);
  ben = await app.createMember("ben", ["see-game-servers", "admin"]);
});

const addWebhook = (admin: Client, name = "Chat") =>
  admin.post("/api/admin/webhooks", {
    ...{ name, format: "json", token: "", url: "https://chat.example/hook", events: ["party"] },
  });
const activeWebhooks = async () =>
  (await anna.get("/api/admin/webhooks")).json.flatMap(({ name, paused_at }: Webhook) => (paused_at ? [] : [name]));

const tokenIn = (url: string) => url.split("#token=")[1]!;

async function invite(admin: Client, uses = 1): Promise<string> {
  return (await admin.post("/api/admin/invitations", { permissions: ["admin"], uses })).json.token;
}
async function openTv(admin: Client, name: string): Promise<string> {
  return tokenIn((await admin.post("/api/admin/tv", { name })).json.url);
}
async function linkFor(admin: Client, id: number): Promise<string> {
  return tokenIn((await admin.post(`/api/admin/members/${id}/reset-link`)).json.url);
}

function register(token: string, uname = "greta"): Promise<ClientResponse> {
  const form = { token, uname, name: "Greta", email: `${uname}@stammtisch.example` };
  return app.createClient().post("/api/register", { ...form, password, password_confirmation: password });
}
const watch = (token: string) => app.createClient().get("/api/tv", { "tv-token": token });
const reset = (token: string) =>
  app.createClient().post("/api/reset-password", { token, password: newPassword, password_confirmation: newPassword });

const disable = (id: number, disabled = true) => anna.post(`/api/admin/members/${id}/disabled`, { disabled });
const permit = (id: number, permissions: string[]) =>
  anna.post(`/api/admin/members/${id}/permissions`, { permissions });
const ownLinks = async (admin: Client) => (await admin.get("/api/admin/access-links")).json;
const linksOf = async (id: number) =>
  (await anna.get("/api/admin/members")).json.find((member: { id: number }) => member.id === id).access_links;

/**
 * Advances the clock until invitations for one day and idle sessions have expired, and logs Anna in
 * again.
 */
async function waitADay(): Promise<void> {
  app.clock.time += 25 * 60 * 60_000;
  await anna.post("/api/login", { uname: "anna", password });
}

/** Runs a command while the server runs, and returns the output. */
const command = (name: string, ...args: string[]) => runCommandOn(app, commands, name, args);

describe("links of a former administrator", () => {
  const inThePage = { id: 1 };
  const oneself = { id: 2 };
  const onTheCommandLine = null;
  const ways: [string, { id: number } | null, () => Promise<unknown>][] = [
    ["a disabled account", inThePage, () => disable(2)],
    ["the loss of the permission", inThePage, () => permit(2, ["see-game-servers"])],
    ["a deleted account", oneself, () => ben.post("/api/user/delete", { uname: "ben", password, beers: "keep" })],
    ["a disabled account (command line)", onTheCommandLine, () => command("user disable", "ben")],
    ["the loss of the permission (command line)", onTheCommandLine, () => command("user revoke", "ben", "admin")],
  ];

  test.each(ways)(
    "an administrator's invitations, TV links and reset links end with %s, and each end is audited (actor: %j)",
    async (_, actor, close) => {
      await app.createUser("carla");
      const opened = { invitation: await invite(ben, 3), tv: await openTv(ben, "Theke"), reset: await linkFor(ben, 3) };
      const others = {
        invitation: await invite(anna),
        tv: await openTv(anna, "Keller"),
        reset: await linkFor(anna, 3),
      };
      const ofNobody = (await createInvitation(app.context, { permissions: [], days: 7, uses: 1, createdBy: null }))
        .token;
      expect((await watch(opened.tv)).status).toBe(200);
      const before = (await anna.get("/api/admin/audit")).json.entries.length;

      await close();

      const refused = await register(opened.invitation);
      expectErrors(refused, { token: ["Anmelde-Token ist ungültig oder abgelaufen."] });
      expect((await watch(opened.tv)).status).toBe(401);
      expect((await reset(opened.reset)).json.errors).toHaveProperty("token");
      const entries = (await anna.get("/api/admin/audit")).json.entries;
      const added = entries.slice(0, entries.length - before) as { action: string; text: string; actor: unknown }[];
      const revoked = added.filter(({ action }) => action.endsWith("-revoked"));
      expect(revoked.map(({ text }) => text).toSorted()).toEqual([
        "Einladung 1 zurückgezogen.",
        "Link für den Fernseher „Theke“ zurückgezogen.",
        "Link für ein neues Passwort zurückgezogen.",
      ]);
      for (const line of revoked) expect(line).toMatchObject({ actor });

      expect((await watch(others.tv)).status).toBe(200);
      expect((await reset(others.reset)).status).toBe(200);
      expect((await register(others.invitation)).status).toBe(201);
      expect((await register(ofNobody, "hannes")).status).toBe(201);
    },
  );

  test.each(ways)(
    "an administrator's webhooks pause with %s, which is audited (actor: %j), until another administrator resumes them",
    async (_, actor, close) => {
      const { id } = (await addWebhook(ben)).json;
      await addWebhook(anna, "Annas Chat");
      await anna.post("/api/parties", { name: "Silvester" });
      await close();
      expect(await activeWebhooks()).toEqual(["Annas Chat"]);
      const webhooks = app.db.selectFrom("outbox").select(["receiver", "state"]).where("kind", "=", "webhook");
      expect(await webhooks.orderBy("receiver").execute()).toEqual([
        { receiver: "1", state: "dropped" },
        { receiver: "2", state: "waiting" },
      ]);
      const { entries } = (await anna.get("/api/admin/audit")).json;
      const paused = entries.filter(({ action }: { action: string }) => action === "webhook-paused");
      expect(paused).toMatchObject([{ text: "Webhook „Chat“ pausiert.", actor }]);

      expect((await anna.post(`/api/admin/webhooks/${id}/resume`)).status).toBe(200);
      expect(await activeWebhooks()).toEqual(["Chat", "Annas Chat"]);
      expect((await linksOf(1)).webhooks).toBe(2);
    },
  );

  test("the last administrator's TV link remains valid after a refused loss of the permission and a refused account deletion", async () => {
    const tv = await openTv(anna, "Theke");
    await disable(2);
    expect((await permit(1, [])).status).toBe(422);
    const leaving = await anna.post("/api/user/delete", { uname: "anna", password, beers: "keep" });
    expect(leaving.status).toBe(422);
    expect((await watch(tv)).status).toBe(200);
  });

  test("a former administrator's revoked links remain invalid after the permission or the account is given back", async () => {
    const [first, second, tv] = [await invite(ben), await invite(ben), await openTv(ben, "Theke")];
    await permit(2, []);
    await permit(2, ["admin"]);
    await disable(2);
    await disable(2, false);
    expect((await register(first)).status).toBe(422);
    expect((await register(second)).status).toBe(422);
    expect((await watch(tv)).status).toBe(401);
    expect(await linksOf(2)).toEqual({ invitations: 0, tv_links: 0, reset_links: 0, webhooks: 0 });
  });

  test("an administrator's invitations and TV links remain valid if the administrator loses a permission other than admin", async () => {
    const [invitation, tv] = [await invite(ben), await openTv(ben, "Theke")];
    await permit(2, ["admin"]);
    expect((await watch(tv)).status).toBe(200);
    expect((await register(invitation)).status).toBe(201);
  });

  test("disabling an administrator changes neither expired or used invitations nor the accounts of the invited members", async () => {
    const used = await invite(ben);
    await register(used);
    await ben.post("/api/admin/invitations", { days: 1 });
    await waitADay();
    await disable(2);
    const { invitations } = (await anna.get("/api/admin/invitations")).json;
    expect(invitations.map(({ state }: { state: string }) => state)).toEqual(["expired", "used"]);
    const login = await app.createClient().post("/api/login", { uname: "greta", password });
    expect(login.json.user.permissions).toEqual(["admin"]);
  });
});

describe("administrators", { tags: "postgres-only" }, () => {
  /**
   * Starts a transaction that locks the administrators. Calling `change` grants member 1 these
   * permissions and commits.
   */
  function begin(permissions: Permission[]) {
    const [locked, changing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const committed = inTransaction(app.db, async (tx) => {
      await lockAdmins(tx);
      locked.resolve();
      await changing.promise;
      await updatePermissions(tx, 1, permissions);
    });
    const change = (): Promise<void> => {
      changing.resolve();
      return committed;
    };
    return { locked: locked.promise, change };
  }

  test("concurrent transactions that grant or revoke the admin permission run one after another", async () => {
    await app.createUser("carla", ["admin"]);
    await updatePermissions(app.db, 1, []);
    const appointing = begin(["admin"]);
    await appointing.locked;
    const dismissing = begin([]);
    await expect.poll(() => isAnyoneWaiting(app.db)).toBe(true);
    await appointing.change();
    await dismissing.locked;
    const next = begin(["admin"]);
    await expect.poll(() => isAnyoneWaiting(app.db)).toBe(true);
    await dismissing.change();
    await next.change();
  });
});

describe("concurrent disabling of an administrator", { tags: "postgres" }, () => {
  test("a registration waits while the administrator who invited the guest is being disabled, and is then refused", async () => {
    const token = await invite(ben);
    let registering: Promise<ClientResponse> | undefined;
    await inTransaction(app.db, async (tx) => {
      await lockAdmins(tx);
      await revokeAccessLinks(tx, app.context.say(tx, null), 2, app.clock.time);
      registering = register(token);
    });
    expect((await registering)?.status).toBe(422);
  });

  test("links that an administrator creates while the account is disabled or loses the permission do not remain valid", async () => {
    for (let round = 0; round < 5; round++) {
      const uname = `admin-${round}`;
      const admin = await app.createMember(uname, ["admin"]);
      await admin.get("/sanctum/csrf-cookie");
      const { id } = await app.db.selectFrom("users").select("id").where("uname", "=", uname).executeTakeFirstOrThrow();
      const making = Array.from({ length: 2 }, () => [
        admin.post("/api/admin/invitations", {}),
        admin.post("/api/admin/tv", { name: "Theke" }),
        admin.post("/api/admin/members/2/reset-link"),
        addWebhook(admin),
      ]);
      const [taken, ...made] = await Promise.all([round % 2 === 0 ? disable(id) : permit(id, []), ...making.flat()]);
      expect(taken.status).toBe(200);
      for (const { status } of made) expect([201, 401, 403]).toContain(status);
      expect(await linksOf(id)).toEqual({ invitations: 0, tv_links: 0, reset_links: 0, webhooks: 0 });
    }
  });
});

test("the list of members counts the valid links and active webhooks that each member has created", async () => {
  await app.createUser("carla");
  const used = await invite(ben);
  await invite(ben, 3);
  await openTv(ben, "Theke");
  await linkFor(ben, 3);
  await addWebhook(ben);
  await ben.post("/api/admin/invitations", { days: 1 });
  const all = { invitations: 3, tv_links: 1, reset_links: 1, webhooks: 1 };
  expect([await linksOf(2), await ownLinks(ben)]).toEqual([all, all]);
  expect(await linksOf(1)).toEqual({ invitations: 0, tv_links: 0, reset_links: 0, webhooks: 0 });
  await register(used);
  expect(await linksOf(2)).toEqual({ invitations: 2, tv_links: 1, reset_links: 1, webhooks: 1 });
  await waitADay();
  expect(await linksOf(2)).toEqual({ invitations: 1, tv_links: 1, reset_links: 0, webhooks: 1 });
});

test("a command that revokes a member's links counts them and the paused webhooks in its text, but not in its JSON", async () => {
  await invite(ben);
  await invite(ben);
  await openTv(ben, "Theke");
  await addWebhook(ben);
  expect(await command("user revoke", "ben", "admin")).toMatchObject({
    json: { uname: "ben", permissions: ["see-game-servers"] },
    text: "ben: see-game-servers (revoked: 2 invitations, 1 TV link; paused: 1 webhook)",
  });
  expect(await command("user disable", "ben")).toMatchObject({
    json: { uname: "ben", disabled: true },
    text: "ben: disabled",
  });
});

test(
  "creating an invitation or a TV link requires the admin permission when the link is stored, not only before",
  { tags: "postgres" },
  async () => {
    await changePermissions(app.context, 2, null, () => []);
    const invitation = { permissions: [], days: 7, uses: 1, createdBy: 2 };
    await expect(createInvitation(app.context, invitation)).rejects.toMatchObject({ status: 403 });
    await expect(createTvLink(app.context, "Theke", 2)).rejects.toMatchObject({ status: 403 });
  },
);

test.each<[string, (admin: Client) => Promise<ClientResponse>]>([
  ["the group", (admin) => admin.post("/api/admin/group", { group_name: "X", group_short: "X", legal_links: [] })],
  ["an invitation", (admin) => admin.delete("/api/admin/invitations/1")],
  ["a television", (admin) => admin.delete("/api/admin/tv/1")],
  ["a webhook", (admin) => admin.post("/api/admin/webhooks/1/resume")],
  ["the order of the game servers", (admin) => admin.post("/api/admin/game-server-order", { ids: [1] })],
  ["a game server", (admin) => admin.delete("/api/admin/game-servers/1")],
  [
    "the settings of a game server",
    (admin) =>
      admin.post("/api/admin/game-servers/1", {
        ...{ display_name: "Minecraft", address: null, query: "none", grace: null, idle_stop: null },
      }),
  ],
])("an administrator who loses the permission during a request cannot change %s", async (_, change) => {
  const answer = await afterReading(
    app.holdQuery,
    "sessions",
    () => change(ben),
    () => updatePermissions(app.db, 2, []),
  );
  expectRefusal(answer, 403, "Diese Aktion ist nicht autorisiert.");
});
