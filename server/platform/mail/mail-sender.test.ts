import { beforeEach, describe, expect, test } from "vitest";

import { repairTimes } from "#server/clock-repair.ts";
import { inTransaction } from "#server/db/connect.ts";
import { createMailSender } from "#server/platform/mail/mail-sender.ts";
import { createOutbox } from "#server/platform/outbox/outbox.ts";
import { countWaiting } from "#server/platform/outbox/store.ts";
import { endWithTest } from "#test/cleanup.ts";
import { createFakeSmtpServer, type FakeSmtpServer } from "#test/fake-smtp-server.ts";
import { type TestApp, createTestApp } from "#test/test-app.ts";

const minute = 60_000;
let smtpServer: FakeSmtpServer;
let app: TestApp;

beforeEach(async () => {
  smtpServer = await createFakeSmtpServer();
  app = await createTestApp({ SMTP_URL: smtpServer.url, MAIL_FROM: "Stammtisch <wirt@pub.example>" });
});

function write(recipient = "anna@pub.example", expiresIn = 60 * minute): Promise<void> {
  const message = { recipient, subject: "Grüße", paragraphs: ["ein Satz."], closing: "Bis bald." };
  return app.context.say(app.db, null).mail(message, app.clock.time + expiresIn);
}

const waiting = () => countWaiting(app.db, "mail");
const sendDue = () => app.context.outbox.sendDue("mail");

/**
 * Advances the clock, sends all mails that are due then, and returns the number of mails delivered
 * so far.
 */
async function after(minutes: number): Promise<number> {
  app.clock.time += minutes * minute;
  await sendDue();
  return smtpServer.mails.length;
}

describe("a mail", () => {
  test("a mail is sent once, encrypted, only to its recipient, and is then deleted", async () => {
    await write();
    await sendDue();
    await sendDue();
    expect(smtpServer.mails).toEqual([
      { from: "wirt@pub.example", to: ["anna@pub.example"], isEncrypted: true, raw: expect.any(String) as string },
    ]);
    const { raw } = smtpServer.mails[0]!;
    expect(raw).toContain("From: Stammtisch <wirt@pub.example>");
    expect(raw).toMatch(/^Message-ID: <[0-9a-f-]{36}@localhost>\r$/m);
    expect(raw).toContain("Auto-Submitted: auto-generated");
    expect(await app.db.selectFrom("outbox").selectAll().execute()).toEqual([]);
  });

  test("a mail expires after a day unless its change says otherwise", async () => {
    const message = { recipient: "anna@pub.example", subject: "x", paragraphs: [], closing: "x" };
    await app.context.say(app.db, null).mail(message);
    await write("ben@pub.example", 5 * minute);
    const rows = await app.db.selectFrom("outbox").select("expires_at").orderBy("id").execute();
    expect(rows.map(({ expires_at }) => expires_at - app.clock.time)).toEqual([24 * 60 * minute, 5 * minute]);
  });

  test("a mail is not sent if its transaction fails", async () => {
    const { db, say } = app.context;
    const message = { recipient: "anna@pub.example", subject: "x", paragraphs: [], closing: "x" };
    const failing = inTransaction(db, async (tx) => {
      await say(tx, null).mail(message, app.clock.time + minute);
      throw new Error("undo");
    });
    await expect(failing).rejects.toThrow("undo");
    await sendDue();
    expect([await waiting(), smtpServer.mails.length]).toEqual([0, 0]);
  });

  test("texts with line breaks and HTML cannot inject headers or markup into a mail", async () => {
    const evil = "Anna\r\nBcc: evil@evil.example\r\n\r\n<img src=x>";
    const message = {
      recipient: "anna@pub.example",
      subject: `x ${evil}`,
      paragraphs: [evil],
      closing: evil,
    };
    await app.context.say(app.db, null).mail(message, app.clock.time + minute);
    await sendDue();
    const { to, raw } = smtpServer.mails[0]!;
    expect(to).toEqual(["anna@pub.example"]);
    expect(raw.split("\r\n\r\n", 1)[0]).not.toMatch(/^Bcc/m);
    expect(raw.slice(raw.indexOf("<!doctype html>"))).not.toContain("<img");
  });

  test("a mail is sent once when two instances send at the same time", { tags: "postgres" }, async () => {
    const other = createOutbox({ ...app.context, senders: [createMailSender(app.context)] });
    endWithTest(other.close);
    for (let index = 0; index < 12; index++) await write(`member${index}@pub.example`);
    await Promise.all([sendDue(), other.sendDue("mail")]);
    await Promise.all([sendDue(), other.sendDue("mail")]);
    expect(smtpServer.mails.map(({ to }) => to[0]).toSorted()).toEqual(
      Array.from({ length: 12 }, (_, index) => `member${index}@pub.example`).toSorted(),
    );
  });

  test("at most five mails are sent per second", async () => {
    app = await createTestApp({ SMTP_URL: smtpServer.url, RATE_LIMIT_FACTOR: "1" });
    for (let index = 0; index < 11; index++) await write(`member${index}@pub.example`);
    const began = performance.now();
    await sendDue();
    expect(performance.now() - began).toBeGreaterThan(2000);
    expect(smtpServer.mails).toHaveLength(11);
  });
});

describe("a mail server", () => {
  test("a mail is retried after 1, 5, 15 and 30 minutes if the mail server answers with a temporary error", async () => {
    await write();
    smtpServer.failure = { at: "recipient", code: 451 };
    await sendDue();
    expect(smtpServer.attempts).toBe(1);
    for (const [attempts, minutes] of [
      [2, 1],
      [3, 5],
      [4, 15],
      [5, 30],
    ] as const) {
      await after(minutes - 0.1);
      expect(smtpServer.attempts).toBe(attempts - 1);
      await after(0.1);
      expect(smtpServer.attempts).toBe(attempts);
    }
    expect(await waiting()).toBe(1);
    await after(30);
    expect([smtpServer.attempts, await waiting()]).toEqual([5, 0]);
    expect(app.logLines).toContainEqual({ level: "warn", event: "mail-expired", fields: {} });
  });

  test("a permanently refused mail is not retried", async () => {
    await write();
    smtpServer.failure = { at: "recipient", code: 550 };
    await sendDue();
    await after(31);
    expect([smtpServer.attempts, await waiting()]).toEqual([1, 0]);
    expect(JSON.stringify(app.logLines)).not.toContain("anna@");
  });

  test.each([
    ["the sender", "sender", 550, undefined],
    ["a missing login", "recipient", 530, "5.7.0 Authentication required"],
    [
      "the sender, in the answer to the recipient",
      "recipient",
      553,
      "5.7.1 Sender address rejected: not owned by user",
    ],
    ["the sender's domain", "recipient", 550, "5.1.8 Sender address rejected: Domain not found"],
    ["a forbidden relay", "recipient", 554, "5.7.1 Relay access denied"],
    ["an unsigned text", "end", 550, "5.7.26 This message is not authenticated"],
  ] as const)(
    "a mail refused because of %s is delivered once the operator has corrected the configuration",
    async (_, at, code, text) => {
      await write();
      smtpServer.failure = { at, code, ...(text && { text }) };
      await sendDue();
      const reason = `MAIL_FROM or SMTP_URL: the mail server localhost takes no mail from this sender: ${code}.`;
      const failed = app.logLines.filter(({ event }) => event === "mail-failed");
      expect(failed).toEqual([{ level: "warn", event: "mail-failed", fields: { failure: "later", reason } }]);
      smtpServer.failure = null;
      expect(await after(0.9)).toBe(at === "end" ? 1 : 0);
      await after(0.1);
      expect(smtpServer.mails.at(-1)?.to).toEqual(["anna@pub.example"]);
      expect(await waiting()).toBe(0);
    },
  );

  test.each([
    ["the recipient", "recipient", 550, "5.1.1 User unknown"],
    ["a full mailbox", "recipient", 552, "5.2.2 Mailbox full"],
    ["the text", "end", 554, "5.6.0 Message content rejected"],
  ] as const)("a mail permanently refused because of %s is not retried", async (_, at, code, text) => {
    await write();
    smtpServer.failure = { at, code, text };
    await sendDue();
    expect(await waiting()).toBe(0);
    const fields = { failure: "refused", code: at === "end" ? "EMESSAGE" : "EENVELOPE", responseCode: code };
    expect(app.logLines).toContainEqual({ level: "warn", event: "mail-failed", fields });
  });

  test("all waiting mails are sent within two minutes after the mail server can be reached again", async () => {
    await smtpServer.close();
    await write();
    await write();
    for (let minutes = 0; minutes < 20; minutes++) await after(1);
    expect(await waiting()).toBe(2);
    const reason = "SMTP_URL: the mail server localhost cannot be used: ECONNREFUSED.";
    expect(app.logLines).toContainEqual({
      level: "warn",
      event: "mail-failed",
      fields: { failure: "unreachable", reason },
    });
    smtpServer = await createFakeSmtpServer({ port: smtpServer.port });
    expect(await after(2)).toBe(2);
    expect(await waiting()).toBe(0);
  });

  test("a mail is retried if the mail server closes the connection after receiving the text", async () => {
    await write();
    smtpServer.failure = { at: "end", code: "drop" };
    await sendDue();
    expect(await waiting()).toBe(1);
    smtpServer.failure = null;
    await after(1);
    expect(await waiting()).toBe(0);
    // The retry has the same Message-ID, so that a mail server can recognise the duplicate.
    expect(new Set(smtpServer.mails.map(({ raw }) => /^Message-ID: (.*)$/m.exec(raw)?.[1])).size).toBe(1);
  });

  test("a mail is retried only four times an hour if the mail server closes the connection each time after receiving the text", async () => {
    await write();
    smtpServer.failure = { at: "end", code: "drop" };
    await sendDue();
    for (let minutes = 1; minutes < 60; minutes++) await after(1);
    expect(smtpServer.mails).toHaveLength(5);
    const reason = "SMTP_URL: the mail server localhost cannot be used: ECONNECTION.";
    expect(app.logLines).toContainEqual({ level: "warn", event: "mail-failed", fields: { failure: "later", reason } });
  });

  test.each([
    ["smtp", "a certificate for another host", { certificate: "foreign" }],
    ["smtps", "a certificate for another host", { certificate: "foreign", isImplicit: true }],
    ["smtp", "a self-signed certificate", { certificate: "own" }],
  ] as const)("a mail server at %s:// with %s gets no mail", async (_, __, options) => {
    smtpServer = await createFakeSmtpServer(options);
    app = await createTestApp({ SMTP_URL: smtpServer.url });
    await write();
    await sendDue();
    expect([smtpServer.mails, await waiting()]).toEqual([[], 1]);
    expect(smtpServer.commands.filter((command) => /^(MAIL|RCPT|DATA|AUTH)/i.test(command))).toEqual([]);
  });

  test("a mail server on this machine that offers no encryption gets mails, but never the password", async () => {
    smtpServer = await createFakeSmtpServer({ hasTls: false });
    app = await createTestApp({ SMTP_URL: smtpServer.url });
    await write();
    await sendDue();
    expect(smtpServer.mails).toMatchObject([{ isEncrypted: false }]);
    app = await createTestApp({ SMTP_URL: smtpServer.url.replace("//", "//wirt:geheim@") });
    await write();
    await sendDue();
    expect(smtpServer.mails).toHaveLength(1);
    expect(smtpServer.commands.filter((command) => command.startsWith("AUTH"))).toEqual([]);
  });

  test("a mail server that offered encryption earlier gets no unencrypted mail", async () => {
    await write();
    await sendDue();
    expect(smtpServer.mails).toMatchObject([{ isEncrypted: true }]);
    await smtpServer.close();
    smtpServer = await createFakeSmtpServer({ hasTls: false, port: smtpServer.port });
    await write();
    await sendDue();
    expect(smtpServer.mails).toEqual([]);
  });

  test("a mail server that requires a login gets the user name and password encrypted", async () => {
    smtpServer = await createFakeSmtpServer({ login: ["wirt@pub.example", "Faß & Krug"] });
    const url = new URL(smtpServer.url);
    app = await createTestApp({
      SMTP_URL: `smtp://${encodeURIComponent("wirt@pub.example")}:${encodeURIComponent("Faß & Krug")}@${url.host}`,
    });
    await write();
    await sendDue();
    expect(smtpServer.mails).toMatchObject([{ isEncrypted: true }]);
  });
});

test("a request does not wait for the mail server", async () => {
  await app.createUser("anna");
  smtpServer.failure = { at: "recipient", code: "hang" };
  app.context.outbox.start(["mail"]);
  const client = app.createClient();
  await client.get("/sanctum/csrf-cookie");
  for (let attempt = 0; attempt < 3; attempt++) {
    expect((await client.post("/api/forgot-password", { email: "anna@stammtisch.example" })).status).toBe(200);
  }
  await expect.poll(() => smtpServer.attempts).toBe(1);
  await app.context.outbox.close();
  await sendDue();
  expect(await waiting()).toBe(3);
  // The stop interrupted the delivery, so the log must not contain a failure of the mail server.
  expect(app.logLines.filter(({ event }) => event === "mail-failed")).toEqual([]);
});

test("after a clock correction, a mail due far in the future is sent at once, and one that expires in over a day is dropped", async () => {
  await write("anna@pub.example", 24 * 60 * minute);
  const dueAt = app.clock.now() + 5 * 60 * minute;
  await app.db.updateTable("outbox").set({ due_at: dueAt }).execute();
  await write("ben@pub.example", 25 * 60 * minute);
  await repairTimes(app.context);
  expect(await after(0)).toBe(1);
  expect([smtpServer.mails[0]!.to, await waiting()]).toEqual([["anna@pub.example"], 0]);
});

test("a mail whose delivery was interrupted because our server stopped is not postponed", async () => {
  for (let index = 0; index < 6; index++) await write(`member${index}@pub.example`);
  smtpServer.failure = { at: "recipient", code: "hang" };
  const { outbox } = app.context;
  outbox.start(["mail"]);
  await expect.poll(() => smtpServer.attempts).toBe(5);
  await outbox.close();
  await sendDue();
  const released = { due_at: app.clock.time, claimed_until: null, attempts: 0 };
  const rows = await app.db.selectFrom("outbox").select(["due_at", "claimed_until", "attempts"]).execute();
  expect(rows).toEqual(Array.from({ length: 6 }, () => released));
  expect([smtpServer.attempts, outbox.failures("mail")]).toEqual([5, 0]);
});
