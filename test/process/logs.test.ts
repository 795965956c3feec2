import { expect, test } from "vitest";

import { furniture } from "#test/furniture.ts";
import { sendForm, formWith } from "#test/upload.ts";
import type { Visitor } from "#test/visitor.ts";
import { firstInvitation, openServer, password, seat } from "./server.ts";

/** Turns up in everything that people type and their browsers send; must not turn up in the log. */
const canary = "kanarie7x9q";
const secret = `${canary}-Passwort-17`;

/** What happens on an evening on which a lot goes wrong, as the log tells it. */
const told = [
  ...["listening", "request", "csrf-refused", "denied", "registered"],
  ...["login", "login-failed", "login-throttled", "logout"],
  ...["reset-requested", "mail-sent", "password-reset", "email-changed", "password-changed"],
  ...["permissions-changed", "member-disabled", "reset-link-made", "invitation-made", "invitation-revoked"],
  ...["stopping", "stopped"],
];

test(
  "the log tells what happened in lines of JSON, and nothing of what people typed or sent",
  { timeout: 60_000 },
  async () => {
    await using server = await openServer({ env: { LOG_LEVEL: "debug", RATE_LIMIT_FACTOR: "1" } });
    await server.start();
    const admin = await seat(server, "anna", firstInvitation(server));
    const made = await admin.post("/api/admin/invitations", { permissions: [], days: 1, uses: 5 });
    const revoked = await admin.post("/api/admin/invitations", { permissions: [], days: 1, uses: 1 });
    await admin.send("DELETE", `/api/admin/invitations/${revoked.json.id}`, {
      headers: { "x-xsrf-token": admin.token },
    });

    const strange = {
      "user-agent": `${canary}/1.0`,
      referer: `http://localhost:${server.port}/?q=${canary}`,
      "x-forwarded-for": canary,
      authorization: `Bearer ${canary}`,
    };
    const visitor = server.visitor(strange);
    const { token } = made.json as { token: string };
    const uname = `x-${canary}`;
    const email = `${canary}@stammtisch.example`;
    const form = { uname, name: `Herr ${canary}`, email, password: secret, password_confirmation: secret };
    await visitor.post("/api/register", { ...form, token: `${token}-${canary}` });
    expect((await visitor.post("/api/register", { ...form, token })).status).toBe(201);
    expect((await visitor.post("/api/login", { uname, password: `${secret}-wrong` })).status).toBe(422);
    // People type their password into the wrong field.
    for (let attempt = 0; attempt < 6; attempt += 1) await visitor.post("/api/login", { uname: secret, password: "x" });
    expect((await visitor.post("/api/login", { uname, password: secret })).status).toBe(200);
    await misbehave(visitor);

    expect((await visitor.post("/api/user/update", { ...form, email: `b-${email}` })).status).toBe(200);
    const changed = { password: `${secret}-2`, password_confirmation: `${secret}-2` };
    expect((await visitor.post("/api/user/changePassword", changed)).status).toBe(200);
    expect((await visitor.post("/api/forgot-password", { email: `b-${email}` })).status).toBe(200);
    const { id } = (await visitor.get("/api/checkLoginStatus")).json.user;
    await admin.post(`/api/admin/members/${id}/permissions`, { permissions: ["see-game-servers"] });
    const link = (await admin.post(`/api/admin/members/${id}/reset-link`)).json.url as string;
    const reset = { token: link.split("token=")[1], password: `${secret}-3`, password_confirmation: `${secret}-3` };
    expect((await visitor.post("/api/reset-password", reset)).status).toBe(200);
    expect((await visitor.post("/api/login", { uname, password: `${secret}-3` })).status).toBe(200);
    await visitor.post("/api/logout");
    await admin.post(`/api/admin/members/${id}/disabled`, { disabled: true });
    await expect.poll(() => server.written.errors).toContain('"mail-sent"');
    server.signal("SIGTERM");
    await server.ended();

    const lines = server.written.errors.trim().split("\n");
    const events = new Set(lines.map((line) => (JSON.parse(line) as { event: string }).event));
    expect([...events]).toEqual(expect.arrayContaining(told));
    const cookies = [...visitor.cookies.values(), ...admin.cookies.values()].filter((value) => value.length > 8);
    for (const typed of [canary, password, token, reset.token!, ...cookies, "stammtisch.example"])
      expect(lines.filter((line) => line.includes(typed))).toEqual([]);
    expect(lines.filter((line) => /"network":"127\.0\.0\.1"/.test(line))).toEqual([]);
  },
);

const readers: [which: string, shell: string][] = [
  ["went away", 'exec "$@" 2> >(exit 0)'],
  ["reads nothing", 'exec "$@" 2> >(exec sleep 15 > /dev/null 2>&1)'],
];

test.for(readers)("whoever reads the log %s: no request notices", async ([, shell]) => {
  await using server = await openServer({ under: ["bash", "-c", shell, "bash"], env: { LOG_LEVEL: "debug" } });
  await server.start();
  const [anna] = await server.members("anna");
  // A pipe holds 64 KiB, and a line has some 200 bytes.
  for (let count = 0; count < 600; count += 1) expect((await anna!.get("/api/checkLoginStatus")).status).toBe(200);
  const ended = server.ended();
  server.signal("SIGTERM");
  expect(await ended).toMatchObject({ code: 0 });
});

/** Requests that are refused, each with the canary somewhere. */
async function misbehave(visitor: Visitor): Promise<void> {
  const headers = { "x-xsrf-token": visitor.token };
  await visitor.get(`/api/beercounter/counters?q=${canary}`);
  await visitor.get(`/api/${canary}/${canary}`);
  await visitor.get(`/internal/images/avatar/${canary}`);
  await visitor.get("/api/game-servers");
  await visitor.send("POST", "/api/beercounter/counters", { headers: { "x-xsrf-token": canary } });
  await visitor.send("POST", "/api/user/update", {
    headers: { ...headers, "content-type": "application/json" },
    body: `{"name": "${canary}`,
  });
  await visitor.send("POST", `/${canary}`, { headers, body: canary });
  await visitor.post("/api/beercounter/counters", undefined, { "idempotency-key": `${canary} is no key` });
  await visitor.post("/api/beercounter/counters", undefined, { "idempotency-key": `${canary}-is-one` });
  await visitor.post("/api/push", {
    pushSubscription: { endpoint: `https://${canary}.example/${canary}`, keys: { p256dh: canary, auth: canary } },
  });
  await visitor.post("/broadcasting/auth", { socket_id: "1.1", channel_name: `private-${canary}` });
  await sendForm(visitor, formWith(Buffer.from(canary), { name: `${canary}.png` }));
  await sendForm(visitor, formWith(furniture.png, { name: `${canary}.png` }));
}
