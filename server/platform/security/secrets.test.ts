import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";

import { beforeEach, expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { type TestApp, createTestApp } from "#test/test-app.ts";
import { generateSecrets, loadSecrets } from "./secrets.ts";

let app: TestApp;

beforeEach(async () => {
  app = await createTestApp();
});

const load = () => loadSecrets(app.database, app.config.dataDir);

test("secrets are generated once and then reused", async () => {
  expect(await load()).toEqual(app.context.secrets);
  const other = await createTestApp();
  const { appKey, realtimeSecret, vapid } = other.context.secrets;
  expect(appKey).not.toBe(app.context.secrets.appKey);
  expect([appKey, realtimeSecret].map((secret) => Buffer.from(secret, "base64url").length)).toEqual([32, 32]);
  expect(Buffer.from(vapid.privateKey, "base64url")).toHaveLength(32);
  expect(Buffer.from(vapid.publicKey, "base64url")).toHaveLength(65);
});

test("secrets are stored in a private file with SQLite, and in the database with PostgreSQL", async () => {
  const file = join(app.config.dataDir, "secrets.json");
  if (app.database.kind === "postgres") {
    expect(existsSync(file)).toBe(false);
    return;
  }
  expect(statSync(file).mode & 0o777).toBe(0o600);
  chmodSync(file, 0o640);
  await expect(load()).rejects.toThrow("can be read by others");
  await expect(load()).rejects.toThrow(`chmod 600 ${file}`);
  await expect(load()).rejects.not.toThrow(JSON.parse(readFileSync(file, "utf8")).appKey);
  chmodSync(file, 0o600);
  for (const text of ["", '{"appKey":"x"}']) {
    writeFileSync(file, text);
    await expect(load()).rejects.toThrow(`${file} is damaged. Delete it; the next start creates new`);
  }
});

test("several servers that start on one database at the same time share the same secrets", async () => {
  const all = await Promise.all([load(), load(), load()]);
  expect(new Set(all.map(({ appKey }) => appKey)).size).toBe(1);
});

test("configured secrets take precedence over generated ones", async () => {
  const { appKey, realtimeSecret, vapid } = generateSecrets();
  const env = { APP_KEY: appKey, VAPID_PRIVATE_KEY: vapid.privateKey, VAPID_PUBLIC_KEY: vapid.publicKey };
  const configured = await createTestApp({ ...env, REALTIME_SECRET: realtimeSecret });
  expect(configured.context.secrets).toEqual({ appKey, realtimeSecret, vapid });
  expect((await configured.createClient().get("/api/config")).json.vapid_public_key).toBe(vapid.publicKey);
  await configured.close();
  const partly = await createTestApp({ APP_KEY: appKey });
  const stored = await loadSecrets(partly.database, partly.config.dataDir);
  expect(partly.context.secrets).toEqual({ ...stored, appKey });
});

test("two processes can write the same file with writeFileDurably at the same time", async () => {
  const file = join(createTemporaryFolder(), "first-invitation.txt");
  const program = `
    import { writeFileDurably } from ${JSON.stringify(import.meta.resolve("./secrets.ts"))};
    for (let round = 0; round < 200; round += 1) writeFileDurably(${JSON.stringify(file)}, "whole");
  `;
  const start = () => once(new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`)), "exit");
  expect(await Promise.all([start(), start()])).toEqual([[0], [0]]);
  expect(readdirSync(dirname(file))).toEqual(["first-invitation.txt"]);
  expect(readFileSync(file, "utf8")).toBe("whole");
});

test("writeFileDurably syncs the text, then renames the file, then syncs its folder", async () => {
  const file = join(createTemporaryFolder(), "mail.eml");
  const program = `
    import fs from "node:fs";
    import { syncBuiltinESMExports } from "node:module";
    import { parentPort } from "node:worker_threads";
    const steps = [];
    const { fsyncSync, renameSync } = fs;
    fs.fsyncSync = (one) => (steps.push(fs.fstatSync(one).isDirectory() ? "name" : "text"), fsyncSync(one));
    fs.renameSync = (...paths) => (steps.push("rename"), renameSync(...paths));
    syncBuiltinESMExports();
    const { writeFileDurably } = await import(${JSON.stringify(import.meta.resolve("./secrets.ts"))});
    writeFileDurably(${JSON.stringify(file)}, "Prost");
    parentPort.postMessage(steps);
  `;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
  expect(await once(worker, "message")).toEqual([["text", "rename", "name"]]);
});
