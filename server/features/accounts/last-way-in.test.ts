import { beforeEach, describe, expect, test } from "vitest";

import { inTransaction } from "#server/db/connect.ts";
import { noPassword } from "#server/features/members/rules.ts";
import type { Client } from "#test/client.ts";
import { runCommandOn } from "#test/command-line.ts";
import { expectRefusal } from "#test/expect-response.ts";
import { readMails } from "#test/mailbox.ts";
import { createTestApp, password, type TestApp } from "#test/test-app.ts";
import { commands } from "./commands.ts";
import { canLogIn, countLogins } from "./login-actions.ts";
import { createAdminResetLink } from "./management-actions.ts";
import { createIdentity } from "./oidc-store.ts";
import { createPasskey } from "./passkey-store.ts";
import { createResetLink } from "./reset-actions.ts";

const issuer = "https://id.example/";
let app: TestApp;
let anna: Client;
/** The same installation with PASSWORD_LOGIN=0. */
let strict: TestApp;

beforeEach(async () => {
  app = await createTestApp({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: "stammtisch" });
  anna = await app.createMember("anna");
  await linkIdentity();
  strict = await app.reopen({ PASSWORD_LOGIN: "0" });
});

const at = () => ({ created_at: app.clock.time, last_used_at: null });
const linkIdentity = () => createIdentity(app.db, { user_id: 1, issuer, subject: "id-of-anna", ...at() });
const addPasskey = () =>
  createPasskey(app.db, {
    ...{ credential_id: "x", public_key: Buffer.from("x"), counter: 0, transports: "[]", name: "Handy" },
    ...{ user_id: 1, ...at() },
  });
const countRows = async (table: "oidc_identities" | "passkeys") =>
  (await app.db.selectFrom(table).selectAll().execute()).length;

function useLink(on: TestApp, { url }: { url: string }) {
  const form = { token: url.split("#token=")[1], password, password_confirmation: password };
  return on.createClient().post("/api/reset-password", form);
}

describe("a reset link", () => {
  const ways: [string, () => Promise<{ url: string } | undefined>][] = [
    ["a mail", () => inTransaction(app.db, (tx) => createResetLink(tx, app.context, 1, "by mail"))],
    ["an administrator", async () => createAdminResetLink(app.context, 1, await app.createUser("hannes", ["admin"]))],
    [
      "the command line",
      async () => (await runCommandOn(app, commands, "user reset-link", ["anna"])).json as { url: string },
    ],
  ];

  test.each(ways)("a reset link from %s keeps the OpenID identity with PASSWORD_LOGIN=0", async (_, make) => {
    await addPasskey();
    expect((await useLink(strict, (await make())!)).status).toBe(200);
    expect([await countRows("oidc_identities"), await countRows("passkeys")]).toEqual([1, 0]);
    expect(await canLogIn(app.db, 1, strict.config)).toBe(true);
  });

  test.each(ways)("a reset link from %s removes the OpenID identity if the password is enough", async (_, make) => {
    await app.db.updateTable("users").set({ password_hash: noPassword }).where("id", "=", 1).execute();
    await addPasskey();
    expect((await useLink(app, (await make())!)).status).toBe(200);
    expect([await countRows("oidc_identities"), await countRows("passkeys")]).toEqual([0, 0]);
    expect(await canLogIn(app.db, 1, app.config)).toBe(true);
  });

  test("the command line says that the password of a reset link does not count with PASSWORD_LOGIN=0", async () => {
    const { text, json } = await runCommandOn(strict, commands, "user reset-link", ["anna"]);
    const { url } = json as { url: string };
    expect(text.split("\n")[0]).toBe(url);
    expect(text).toContain("remove PASSWORD_LOGIN=0");
  });
});

test("with PASSWORD_LOGIN=0, no reset mail is sent, and the answer is the same for every email address", async () => {
  const client = strict.createClient();
  const emails = ["anna@stammtisch.example", "nobody@stammtisch.example"];
  const text = "Hier meldest du dich nur über den Anmeldedienst an.";
  for (const email of emails) expectRefusal(await client.post("/api/forgot-password", { email }), 403, text);
  expect(await readMails(strict)).toEqual([]);
  expect(await app.db.selectFrom("reset_tokens").selectAll().execute()).toEqual([]);
});

test(
  "of two requests at the same time that remove a member's last two ways in, only one succeeds",
  { tags: "postgres" },
  async () => {
    await app.db.updateTable("users").set({ password_hash: noPassword }).execute();
    for (let round = 0; round < 5; round++) {
      if ((await countRows("passkeys")) === 0) await addPasskey();
      if ((await countRows("oidc_identities")) === 0) await linkIdentity();
      const { id } = await app.db.selectFrom("passkeys").select("id").executeTakeFirstOrThrow();
      const answers = await Promise.all([anna.delete("/api/user/oidc"), anna.delete(`/api/user/passkeys/${id}`)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422]);
    }
  },
);

test.each([
  ["a password", { passwordLogin: true, oidcIssuer: null }, true],
  ["a password that is not accepted", { passwordLogin: false, oidcIssuer: null }, false],
  ["an identity", { passwordLogin: false, oidcIssuer: issuer }, true],
  ["an identity at another provider", { passwordLogin: false, oidcIssuer: "https://other.example/" }, false],
])("a member with %s can log in with %j: %s", async (_, config, isAble) => {
  expect(await canLogIn(app.db, 1, config)).toBe(isAble);
  const ben = await app.createUser("ben");
  await app.db.updateTable("users").set({ disabled_at: 1 }).where("id", "=", ben).execute();
  expect(await countLogins(app.db, config)).toEqual({ members: 1, lockedOut: isAble ? 0 : 1 });
});
