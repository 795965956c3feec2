import { expect, test } from "vitest";

import type { Client } from "#test/client.ts";
import { fixtures } from "#test/fixtures.ts";
import { createTestApp, password } from "#test/test-app.ts";
import { multipartForm, sendForm } from "#test/upload.ts";

/** A marker in all user input and request headers, which must never appear in the log. */
const canary = "kanarie7x9q";
const secret = `${canary}-Passwort-17`;

/** Events that the log must contain after this test. */
const events = [
  ...["request", "csrf-refused", "denied", "registered"],
  ...["login", "login-failed", "login-throttled", "logout"],
  ...["reset-requested", "mail-sent", "password-reset", "email-changed", "password-changed"],
  ...["permissions-changed", "member-disabled", "reset-link-made", "invitation-made", "invitation-revoked"],
];

test("the log contains member ids and route patterns, but no user input and no secrets", async () => {
  const app = await createTestApp({ RATE_LIMIT_FACTOR: "1" });
  const admin = await app.createMember("anna");
  const made = await admin.post("/api/admin/invitations", { permissions: [], days: 1, uses: 5 });
  const revoked = await admin.post("/api/admin/invitations", { permissions: [], days: 1, uses: 1 });
  await admin.delete(`/api/admin/invitations/${revoked.json.id}`);

  const client = app.createClient({
    "user-agent": `${canary}/1.0`,
    referer: `http://localhost:3000/?q=${canary}`,
    "x-forwarded-for": canary,
    authorization: `Bearer ${canary}`,
  });
  const { token } = made.json as { token: string };
  const uname = `x-${canary}`;
  const email = `${canary}@stammtisch.example`;
  const form = { uname, name: `Herr ${canary}`, email, password: secret, password_confirmation: secret };
  await client.post("/api/register", { ...form, token: `${token}-${canary}` });
  expect((await client.post("/api/register", { ...form, token })).status).toBe(201);
  expect((await client.post("/api/login", { uname, password: `${secret}-wrong` })).status).toBe(422);
  // Sends the password as the user name, because members sometimes type it into the wrong field.
  for (let attempt = 0; attempt < 6; attempt += 1) await client.post("/api/login", { uname: secret, password: "x" });
  expect((await client.post("/api/login", { uname, password: secret })).status).toBe(200);
  await causeWarnings(client);

  expect((await client.post("/api/user/update", { ...form, email: `b-${email}` })).status).toBe(200);
  const changed = { password: `${secret}-2`, password_confirmation: `${secret}-2` };
  expect((await client.post("/api/user/changePassword", changed)).status).toBe(200);
  expect((await client.post("/api/forgot-password", { email: `b-${email}` })).status).toBe(200);
  const { id } = (await client.get("/api/checkLoginStatus")).json.user;
  await admin.post(`/api/admin/members/${id}/permissions`, { permissions: ["see-game-servers"] });
  const link = (await admin.post(`/api/admin/members/${id}/reset-link`)).json.url as string;
  const reset = { token: link.split("token=")[1], password: `${secret}-3`, password_confirmation: `${secret}-3` };
  expect((await client.post("/api/reset-password", reset)).status).toBe(200);
  expect((await client.post("/api/login", { uname, password: `${secret}-3` })).status).toBe(200);
  await client.post("/api/beercounter/counters");
  await client.post("/api/logout");
  await admin.post(`/api/admin/members/${id}/disabled`, { disabled: true });
  await app.context.outbox.sendDue("mail");

  expect(app.logLines.map(({ event }) => event)).toEqual(expect.arrayContaining(events));
  const log = JSON.stringify(app.logLines);
  const cookies = [...client.cookies.values(), ...admin.cookies.values()].filter((value) => value.length > 8);
  for (const typed of [canary, password, token, reset.token!, ...cookies, "stammtisch.example", "127.0.0.1"])
    expect(log).not.toContain(typed);
  const line = app.logLines.findLast(({ fields }) => fields["route"] === "/api/beercounter/counters")!;
  expect(line.fields).toEqual({
    reqId: expect.any(String),
    method: "POST",
    route: "/api/beercounter/counters",
    status: 200,
    ms: expect.any(Number),
    user: id,
    network: "127.0.0.0/24",
  });
});

/** Sends requests that contain the canary and are mostly refused. */
async function causeWarnings(client: Client): Promise<void> {
  const headers = { "x-xsrf-token": client.csrfToken };
  await client.get(`/api/beercounter/counters?q=${canary}`);
  await client.get(`/api/${canary}/${canary}`);
  await client.get(`/internal/images/avatar/${canary}`);
  await client.get("/api/game-servers");
  await client.send("POST", "/api/beercounter/counters", { headers: { "x-xsrf-token": canary } });
  await client.send("POST", "/api/user/update", {
    headers: { ...headers, "content-type": "application/json" },
    body: `{"name": "${canary}`,
  });
  await client.send("POST", `/${canary}`, { headers, body: canary });
  await client.post("/api/beercounter/counters", undefined, { "idempotency-key": `${canary} is no key` });
  await client.post("/api/beercounter/counters", undefined, { "idempotency-key": `${canary}-is-one` });
  await client.post("/api/push", {
    pushSubscription: { endpoint: `https://${canary}.example/${canary}`, keys: { p256dh: canary, auth: canary } },
  });
  await client.post("/broadcasting/auth", { socket_id: "1.1", channel_name: `private-${canary}` });
  await sendForm(client, multipartForm(Buffer.from(canary), { name: `${canary}.png` }));
  await sendForm(client, multipartForm(fixtures.png, { name: `${canary}.png` }));
}
