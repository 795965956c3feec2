import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, expect, test } from "vitest";

import { firstInvitation, createServerProcess, runCommand, registerMember } from "./server-process.ts";

test("an empty data directory greets with one invitation line, and whoever opens the link is the administrator", async () => {
  await using server = await createServerProcess();
  await server.start();
  await expect.poll(() => server.output.out).toMatch(/\n$/);
  const lines = server.output.out.trim().split("\n");
  const file = join(server.dataDir, "first-invitation.txt");
  const link = readFileSync(file, "utf8").trim();

  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(link);
  expect(link).toMatch(new RegExp(`^http://localhost:${server.port}/register\\?token=[0-9A-Z-]{30}$`));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(server.dataDir, "secrets.json")).mode & 0o077).toBe(0);

  const admin = await registerMember(server, "anna", firstInvitation(server));
  expect((await admin.get("/api/checkLoginStatus")).json.user.permissions).toContain("admin");
  await server.kill();
  await server.start();
  expect(server.output.out, "nobody is invited a second time").toBe("");
});

test("the invitation that was not used is offered again after a restart", async () => {
  await using server = await createServerProcess();
  await server.start();
  const first = firstInvitation(server);
  await server.kill();
  await server.start();
  await expect.poll(() => server.output.out).toContain(first);
});

test("a second server on the same data is refused in one line, and takes over once the first was killed", async () => {
  await using server = await createServerProcess();
  await server.start();
  await using second = await createServerProcess({ sharedWith: server });
  const refused = await runCommand(["serve"], second.env);
  expect(refused.code).toBe(1);
  expect(refused.errors.trim().split("\n")).toEqual([expect.stringContaining("DATA_DIR")]);
  expect((await server.createClient().get("/readyz")).status, "the first one goes on").toBe(200);

  await server.kill();
  await second.start();
  expect((await second.createClient().get("/readyz")).status).toBe(200);
});

const folder = mkdtempSync(join(tmpdir(), "broken-"));
const garbage = join(folder, "garbage");
const empty = join(folder, "empty");
writeFileSync(garbage, Buffer.from([0xff, 0xfe, 0x00, 0x80]));
writeFileSync(empty, "");
const malformed = join(folder, "malformed");
writeFileSync(malformed, "PORT=3000\nhunter2\n");
afterAll(() => rmSync(folder, { recursive: true }));

const broken: [variable: string, value: string][] = [
  ["PORT", "99999"],
  ["HOST", "http://beer"],
  ["APP_URL", "not a url"],
  ["APP_URL", "http://beer.example"],
  ["EXTRA_ORIGINS", "https://a.example/path"],
  ["TRUST_PROXY", "10.0.0.0/99"],
  ["TRUST_PROXY", "true"],
  ["DATABASE_URL", "mysql://root:hunter2@localhost/beer"],
  ["REALTIME_URL", "pusher://key:hunter2@"],
  ["SMTP_URL", "http://beer:hunter2@mail.example"],
  ["SMTP_URL_FILE", garbage],
  ["ENGINE_URL", "docker"],
  ["TIME_ZONE", "Europe/Köpenick"],
  ["RATE_LIMIT_FACTOR", "0"],
  ["REMEMBER_DAYS", "400"],
  ["STAMMTISCH_TYPO", "hunter2"],
  ["STAMMTISCH_ENV_FILE", "/nowhere/at/all"],
  ["STAMMTISCH_ENV_FILE", malformed],
  ["LEGAL_LINKS", "hunter2"],
  ["MAIL_FROM_FILE", "/nowhere/at/all"],
  ["DATABASE_URL_FILE", empty],
  ["DATABASE_URL_FILE", folder],
  ["GROUP_NAME", "hunter2\u0007"],
  ["PUSH_ALLOW_PRIVATE", "1"],
];

async function refuseEach(list: readonly (readonly [variable: string, value: string])[]): Promise<void> {
  for (const [variable, value] of list) {
    const env = { DATA_DIR: "/nowhere/writable", NODE_ENV: "production", [variable]: value };
    const { code, out, errors } = await runCommand(["serve"], env);
    expect([variable, code, out]).toEqual([variable, 78, ""]);
    expect(errors.trim().split("\n")).toEqual([expect.stringContaining(variable)]);
    expect(errors).not.toContain("hunter2");
  }
}

test("a broken configuration stops the start at once with one line that names the variable and shows no value", async () => {
  const halves = [0, 1].map((half) => broken.filter((_, index) => index % 2 === half));
  await Promise.all(halves.map(refuseEach));
});
