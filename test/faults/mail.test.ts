import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { openPostOffice } from "#test/post-office.ts";
import { openServer } from "#test/process/server.ts";
import { databases, report } from "./report.ts";

test.for(databases)("a kill between sending and noting it costs at most one repetition (%s)", async (database) => {
  const office = await openPostOffice();
  await using server = await openServer({ database, env: { SMTP_URL: office.url } });
  server.env["NODE_EXTRA_CA_CERTS"] = join(server.dataDir, "authority.pem");
  writeFileSync(server.env["NODE_EXTRA_CA_CERTS"], office.authority);
  await server.start();
  await server.members("anna");
  const visitor = server.visitor();
  // The text arrives, but the answer to it does not.
  office.answer = { at: "end", code: "hang" };
  await visitor.post("/api/forgot-password", { email: "anna@stammtisch.example" });
  await expect.poll(() => office.mails.length, { timeout: 15_000 }).toBe(1);
  await server.kill();
  office.answer = null;
  await server.start();
  const began = performance.now();
  await expect.poll(() => office.mails.length, { timeout: 150_000, interval: 500 }).toBe(2);
  const seconds = Math.round((performance.now() - began) / 1000);
  await new Promise((resolve) => void setTimeout(resolve, 8000));
  const ids = new Set(office.mails.map(({ raw }) => /^Message-ID: (.*)$/m.exec(raw)?.[1]));
  report({
    id: "mail-kill",
    ok: office.mails.length === 2,
    number: { seconds },
    target: "≤ 1 repetition",
    db: database,
  });
  expect([office.mails.length, ids.size]).toEqual([2, 1]);
  await office.close();
});

test("a mail server that takes five seconds for every line gets its mail once", async () => {
  const office = await openPostOffice();
  office.delay = 5000;
  await using server = await openServer({ env: { SMTP_URL: office.url } });
  server.env["NODE_EXTRA_CA_CERTS"] = join(server.dataDir, "authority.pem");
  writeFileSync(server.env["NODE_EXTRA_CA_CERTS"], office.authority);
  await server.start();
  await server.members("anna");
  const visitor = server.visitor();
  await visitor.get("/sanctum/csrf-cookie");
  const began = performance.now();
  await visitor.post("/api/forgot-password", { email: "anna@stammtisch.example" });
  expect(performance.now() - began).toBeLessThan(500);
  await expect.poll(() => office.mails.length, { timeout: 60_000, interval: 500 }).toBe(1);
  await new Promise((resolve) => void setTimeout(resolve, 10_000));
  expect(office.mails).toHaveLength(1);
  await office.close();
});
