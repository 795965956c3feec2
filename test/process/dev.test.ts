import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { isDevRunning, prepareDemoData } from "../../scripts/dev-data.ts";
import { assertPortFree } from "../../scripts/dev.ts";

test("npm run dev refuses a port on which another program listens, and says how to choose another one", async () => {
  const stranger = createServer();
  await once(stranger.listen(0, "127.0.0.1"), "listening");
  const { port } = stranger.address() as AddressInfo;
  await expect(assertPortFree(port)).rejects.toThrow(
    `PORT ${port} cannot be used: another program listens there. Choose another one, e.g.: PORT=4000 npm run dev`,
  );
  stranger.close();
});

test("npm run dev refuses demo data of newer code, and --reset replaces them by new ones with other passwords", async () => {
  const folder = createTemporaryFolder();
  writeFileSync(join(folder, "demo-users.txt"), "anna\told-password\n");
  using database = new DatabaseSync(join(folder, "stammtisch.db"));
  database.exec("create table migrations (name text, at integer); insert into migrations values ('9999-other', 1)");

  const refused = prepareDemoData(folder, false);
  await expect(refused).rejects.toThrow(/newer version .*“9999-other”[^]*npm run dev -- --reset/);
  const users = await prepareDemoData(folder, true);
  expect(users).toMatch(/^anna\t\w+-\w+-\d+$/m);
  expect(await prepareDemoData(folder, false), "the next start keeps the data").toBe(users);
});

test("the demo data are in use as long as a server runs on them", () => {
  const folder = createTemporaryFolder();
  expect(isDevRunning(folder)).toBe(false);
  using server = new DatabaseSync(join(folder, "serve.lock"));
  server.exec("begin exclusive");
  expect(isDevRunning(folder)).toBe(true);
  server.exec("rollback");
  expect(isDevRunning(folder)).toBe(false);
});
