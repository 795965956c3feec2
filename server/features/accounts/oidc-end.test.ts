import { generateKeyPairSync } from "node:crypto";

import { beforeEach, describe, expect, test } from "vitest";

import { seal, unseal } from "#server/platform/security/sealed-text.ts";
import { hours } from "#server/time.ts";
import type { Client } from "#test/client.ts";
import { createOidcApp, type OidcApp } from "#test/oidc-app.ts";
import { checkGroups, sealGrantsAgain } from "./oidc-end-actions.ts";

const isLoggedIn = async (client: Client) => (await client.get("/api/checkLoginStatus")).json.user !== null;

describe("a logout at the OpenID provider", { tags: "postgres" }, () => {
  let app: OidcApp;
  let laptop: Client;
  let phone: Client;
  const sids = async () =>
    (
      await app.db
        .selectFrom("sessions")
        .select("oidc_sid")
        .where("is_from_oidc", "=", 1)
        .orderBy("created_at")
        .execute()
    )
      .map(({ oidc_sid }) => oidc_sid!)
      .toSorted();
  const send = async (claims: object, key?: object) => {
    const logout_token = await app.provider.signLogoutToken({ ...claims }, key);
    const body = new URLSearchParams({ logout_token }).toString();
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return app.createClient().send("POST", "/api/oidc/logout", { body, headers });
  };

  beforeEach(async () => {
    app = await createOidcApp();
    const ben = await app.createLinkedMember("ben");
    await ben.post("/api/user/tokens", { name: "Shell", scope: "read", days: 30 });
    [laptop, phone] = [app.createClient(), app.createClient()];
    await app.logIn(laptop, "id-of-ben");
    await app.logIn(phone, "id-of-ben");
    await app.createLinkedMember("carla");
  });

  test("a logout token with the id of a session ends this session, and leaves the others and the API tokens", async () => {
    const [sid] = await sids();
    const { status, text } = await send({ sub: "id-of-ben", sid });
    expect([status, text]).toEqual([200, "{}"]);
    expect([await isLoggedIn(laptop), await isLoggedIn(phone)].toSorted()).toEqual([false, true]);
    expect(await app.db.selectFrom("api_tokens").select("name").execute()).toHaveLength(1);
  });

  test("a logout token without a session ends all sessions that began at the provider, and the API tokens", async () => {
    expect((await send({ sub: "id-of-ben" })).status).toBe(200);
    expect([await isLoggedIn(laptop), await isLoggedIn(phone)]).toEqual([false, false]);
    expect(await app.db.selectFrom("api_tokens").select("name").execute()).toEqual([]);
    // Ben's and Carla's logins with a password.
    expect(await app.db.selectFrom("sessions").select("user_id").execute()).toHaveLength(2);
  });

  test.each<[string, object]>([
    ["of another issuer", { iss: "http://127.0.0.1:1" }],
    ["for another client", { aud: "others" }],
    ["that is an hour old", { iat: Math.floor(Date.now() / 1000) - 3600 }],
    ["without a time", { iat: undefined }],
    ["without an id", { jti: undefined }],
    ["with a nonce, which may be an ID token", { nonce: "n" }],
    ["without the event", { events: {} }],
    ["that names neither a member nor a session", { sub: undefined }],
  ])("a logout token %s is refused", async (_, claims) => {
    expect((await send({ sub: "id-of-ben", ...claims })).status).toBe(400);
    expect([await isLoggedIn(laptop), await isLoggedIn(phone)]).toEqual([true, true]);
  });

  test("a logout token is refused if another key has signed it, and if it was sent before", async () => {
    const key = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" });
    expect((await send({ sub: "id-of-ben" }, key)).status).toBe(400);
    expect(await isLoggedIn(laptop)).toBe(true);
    expect((await send({ sub: "id-of-ben", jti: "once" })).status).toBe(200);
    expect((await send({ sub: "id-of-ben", jti: "once" })).status).toBe(400);
  });

  test("a logout token with a member's id and another member's session ends nothing of the other member", async () => {
    const [sid] = await sids();
    expect((await send({ sub: "id-of-carla", sid })).status).toBe(200);
    expect((await send({ sub: "id-of-nobody", sid })).status).toBe(200);
    expect([await isLoggedIn(laptop), await isLoggedIn(phone)]).toEqual([true, true]);
  });
});

describe("the groups of members", { tags: "postgres" }, () => {
  let app: OidcApp;
  let ben: Client;
  const grants = () => app.db.selectFrom("oidc_grants").selectAll().execute();

  beforeEach(async () => {
    const bare = await createOidcApp();
    const reopened = await bare.reopen({ ...bare.provider.env, OIDC_GROUPS: "stammtisch" });
    app = { ...bare, ...reopened };
    app.provider.accounts.set("id-of-ben", { groups: ["stammtisch"] });
    await app.createUser("ben");
    const member = await bare.createMember("carla");
    await member.post("/api/user/tokens", { name: "Shell", scope: "read", days: 30 });
    expect((await app.link(member.through(app), "id-of-ben")).status).toBe(200);
    ben = app.createClient();
    expect((await app.logIn(ben, "id-of-ben")).status).toBe(200);
    await app.rememberSessions();
  });

  test("a member who has left the allowed groups loses all sessions and API tokens within a day", async () => {
    expect((await grants())[0]!.refresh_token).toMatch(/^[\w-]{40,}$/);
    app.provider.accounts.set("id-of-ben", { groups: ["others"] });
    await checkGroups(app.context);
    expect(await isLoggedIn(ben), "checked at the login").toBe(true);
    app.clock.time += hours(22);
    await checkGroups(app.context);
    expect(await isLoggedIn(ben)).toBe(false);
    expect(await app.db.selectFrom("sessions").select("id").execute()).toEqual([]);
    expect(await app.db.selectFrom("api_tokens").select("id").execute()).toEqual([]);
    expect(await grants()).toEqual([]);
    expect(app.logLines.findLast(({ event }) => event === "oidc-access-ended")?.fields["reason"]).toBe("group");
  });

  test("members who remain in a group notice nothing, and are looked at again a day later", async () => {
    for (let day = 0; day < 2; day += 1) {
      app.clock.time += hours(22);
      await checkGroups(app.context);
      expect(await grants()).toEqual([expect.objectContaining({ checked_at: app.clock.time })]);
    }
    expect(await isLoggedIn(ben)).toBe(true);
  });

  test("a provider that does not answer logs no member out", async () => {
    app.clock.time += hours(22);
    app.provider.answers.set("/token", (response) => response.writeHead(502).end("Bad Gateway"));
    await checkGroups(app.context);
    expect(await isLoggedIn(ben)).toBe(true);
    expect(await grants()).toHaveLength(1);
  });

  test("a provider that fails after it has replaced the refresh token logs no member out, and is asked again", async () => {
    app.clock.time += hours(22);
    app.provider.answers.set("/me", (response) => response.writeHead(502).end("Bad Gateway"));
    await checkGroups(app.context);
    expect(await isLoggedIn(ben)).toBe(true);
    app.provider.answers.clear();
    app.provider.accounts.set("id-of-ben", { groups: ["others"] });
    await checkGroups(app.context);
    expect(await isLoggedIn(ben)).toBe(false);
  });

  test("a member who is removed at the provider loses all sessions within a day", async () => {
    app.clock.time += hours(22);
    app.provider.revokeGrants();
    await checkGroups(app.context);
    expect(await isLoggedIn(ben)).toBe(false);
    expect(app.logLines.findLast(({ event }) => event === "oidc-access-ended")?.fields["reason"]).toBe("revoked");
  });

  test("a rotated app key seals the refresh tokens again, so that no member is logged out", async () => {
    const sealed = (await grants())[0]!.refresh_token;
    const [old, fresh] = [app.context.rotatableSecrets.current("appKey"), "a new key of thirty-two characters"];
    const rotatableSecrets = {
      current: () => fresh,
      accepts: async (_: string, matches: (secret: string) => boolean) => [fresh, old].some(matches),
    };
    await sealGrantsAgain({ ...app.context, rotatableSecrets });
    expect(unseal(fresh, (await grants())[0]!.refresh_token)).toBe(unseal(old, sealed));
  });
});

test("a sealed text is read only with its key and unchanged", () => {
  const sealed = seal("key", "Prost");
  expect(unseal("key", sealed)).toBe("Prost");
  expect(unseal("other", sealed)).toBeNull();
  expect(unseal("key", `${sealed.slice(0, -2)}AA`)).toBeNull();
  expect(unseal("key", "")).toBeNull();
});
