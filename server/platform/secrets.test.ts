import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { type TestApp, createTestApp } from "#test/test-app.ts";
import { ExposedSecretsError, loadSecrets } from "./secrets.ts";

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

afterEach(() => app.close());

const load = () => loadSecrets(app.database, app.config.dataDir);

test("secrets are generated once and stay", async () => {
  expect(await load()).toEqual(app.context.secrets);
  const other = await createTestApp();
  const { appKey, realtimeSecret, vapid } = other.context.secrets;
  expect(appKey).not.toBe(app.context.secrets.appKey);
  expect([appKey, realtimeSecret].map((secret) => Buffer.from(secret, "base64url").length)).toEqual([32, 32]);
  expect(Buffer.from(vapid.privateKey, "base64url")).toHaveLength(32);
  expect(Buffer.from(vapid.publicKey, "base64url")).toHaveLength(65);
  await other.close();
});

test("secrets are in a private file with SQLite, and in the database with PostgreSQL", async () => {
  const file = join(app.config.dataDir, "secrets.json");
  if (app.database.kind === "postgres") {
    expect(existsSync(file)).toBe(false);
    return;
  }
  expect(statSync(file).mode & 0o777).toBe(0o600);
  chmodSync(file, 0o640);
  await expect(load()).rejects.toThrow(ExposedSecretsError);
  await expect(load()).rejects.toThrow(`chmod 600 ${file}`);
  await expect(load()).rejects.not.toThrow(JSON.parse(readFileSync(file, "utf8")).appKey);
});

test("secrets are the same for two servers on one database that start at the same time", async () => {
  const all = await Promise.all([load(), load(), load()]);
  expect(new Set(all.map(({ appKey }) => appKey)).size).toBe(1);
});
