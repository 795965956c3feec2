import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createFakeSmtpServer } from "#test/fake-smtp-server.ts";
import { createServerProcess } from "#test/process/server-process.ts";
import { databases, report } from "./report.ts";

test.for(databases)(
  "a server that is killed between sending and recording a mail repeats the mail at most once (%s)",
  async (database) => {
    const smtp = await createFakeSmtpServer();
    await using server = await createServerProcess({ database, env: { SMTP_URL: smtp.url } });
    server.env["NODE_EXTRA_CA_CERTS"] = join(server.dataDir, "authority.pem");
    writeFileSync(server.env["NODE_EXTRA_CA_CERTS"], smtp.authority);
    await server.start();
    await server.createMembers("anna");
    const client = server.createClient();
    // The mail server receives the mail, but never confirms it to the app.
    smtp.failure = { at: "end", code: "hang" };
    await client.post("/api/forgot-password", { email: "anna@stammtisch.example" });
    await expect.poll(() => smtp.mails.length, { timeout: 15_000 }).toBe(1);
    await server.kill();
    smtp.failure = null;
    await server.start();
    const began = performance.now();
    await expect.poll(() => smtp.mails.length, { timeout: 150_000, interval: 500 }).toBe(2);
    const seconds = Math.round((performance.now() - began) / 1000);
    await new Promise((resolve) => void setTimeout(resolve, 8000));
    const ids = new Set(smtp.mails.map(({ raw }) => /^Message-ID: (.*)$/m.exec(raw)?.[1]));
    report("T083", { seconds }, "≤ 1 repetition", database);
    expect([smtp.mails.length, ids.size]).toEqual([2, 1]);
  },
);

test("a mail server that answers each line after five seconds receives its mail once", async () => {
  const smtp = await createFakeSmtpServer();
  smtp.delayMs = 5000;
  await using server = await createServerProcess({ env: { SMTP_URL: smtp.url } });
  server.env["NODE_EXTRA_CA_CERTS"] = join(server.dataDir, "authority.pem");
  writeFileSync(server.env["NODE_EXTRA_CA_CERTS"], smtp.authority);
  await server.start();
  await server.createMembers("anna");
  const client = server.createClient();
  await client.get("/sanctum/csrf-cookie");
  const began = performance.now();
  await client.post("/api/forgot-password", { email: "anna@stammtisch.example" });
  expect(performance.now() - began).toBeLessThan(500);
  await expect.poll(() => smtp.mails.length, { timeout: 60_000, interval: 500 }).toBe(1);
  await new Promise((resolve) => void setTimeout(resolve, 10_000));
  expect(smtp.mails).toHaveLength(1);
});
