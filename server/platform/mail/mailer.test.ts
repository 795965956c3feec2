import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { openMailer } from "#server/platform/mail/mailer.ts";
import { type House, openHouse } from "#test/open-house.ts";
import { openPostOffice, type PostOffice } from "#test/post-office.ts";

const minute = 60_000;
let office: PostOffice;
let house: House;

beforeEach(async () => {
  office = await openPostOffice();
  house = await openHouse({ SMTP_URL: office.url, MAIL_FROM: "Stammtisch <wirt@pub.example>" });
});

afterEach(async () => {
  await house.close();
  await office.close();
});

function write(recipient = "anna@pub.example", expiresIn = 60 * minute): Promise<void> {
  const letter = { recipient, subject: "Grüße", greeting: "Hallo,", paragraphs: ["ein Satz."], closing: "Bis bald." };
  return house.platform.mailer.queue(house.db, letter, house.clock.time + expiresIn);
}

const waiting = async () => (await house.db.selectFrom("mails").selectAll().execute()).length;
const sendDue = () => house.platform.mailer.sendDue();

/** Moves the clock to `minutes` after now and sends what is due then. */
async function after(minutes: number): Promise<number> {
  house.clock.time += minutes * minute;
  await sendDue();
  return office.mails.length;
}

describe("a mail", () => {
  test("goes out encrypted, once, to its recipient alone, and is forgotten", async () => {
    await write();
    await sendDue();
    await sendDue();
    expect(office.mails).toEqual([
      { from: "wirt@pub.example", to: ["anna@pub.example"], isEncrypted: true, raw: expect.any(String) as string },
    ]);
    const { raw } = office.mails[0]!;
    expect(raw).toContain("From: Stammtisch <wirt@pub.example>");
    expect(raw).toMatch(/^Message-ID: <[0-9a-f-]{36}@localhost>\r$/m);
    expect(raw).toContain("Auto-Submitted: auto-generated");
    expect(await waiting()).toBe(0);
  });

  test("is none if the transaction it belongs to fails", async () => {
    const { db, mailer } = house.platform;
    const letter = { recipient: "anna@pub.example", subject: "x", greeting: "x", paragraphs: [], closing: "x" };
    await db
      .transaction()
      .execute(async (tx) => {
        await mailer.queue(tx, letter, house.clock.time + minute);
        throw new Error("undo");
      })
      .catch(() => {});
    await sendDue();
    expect([await waiting(), office.mails.length]).toEqual([0, 0]);
  });

  test("takes no orders from a name", async () => {
    const evil = "Anna\r\nBcc: evil@evil.example\r\n\r\n<img src=x>";
    const letter = {
      recipient: "anna@pub.example",
      subject: `x ${evil}`,
      greeting: evil,
      paragraphs: [evil],
      closing: evil,
    };
    await house.platform.mailer.queue(house.db, letter, house.clock.time + minute);
    await sendDue();
    const { to, raw } = office.mails[0]!;
    expect(to).toEqual(["anna@pub.example"]);
    expect(raw.split("\r\n\r\n", 1)[0]).not.toMatch(/^Bcc/m);
    expect(raw.slice(raw.indexOf("<!doctype html>"))).not.toContain("<img");
  });

  test("is sent once by two instances that look at the same time", async () => {
    const other = openMailer(house.platform);
    for (let index = 0; index < 12; index++) await write(`member${index}@pub.example`);
    await Promise.all([sendDue(), other.sendDue()]);
    await Promise.all([sendDue(), other.sendDue()]);
    expect(office.mails.map(({ to }) => to[0]).toSorted()).toEqual(
      Array.from({ length: 12 }, (_, index) => `member${index}@pub.example`).toSorted(),
    );
  });

  test("leaves at five a second", async () => {
    await house.close();
    house = await openHouse({ SMTP_URL: office.url, RATE_LIMIT_FACTOR: "1" });
    for (let index = 0; index < 11; index++) await write();
    const began = performance.now();
    await sendDue();
    expect(performance.now() - began).toBeGreaterThan(2000);
    expect(office.mails).toHaveLength(11);
  });
});

describe("a mail server that", () => {
  test("says later is asked again after 1, 5, 15 and 30 minutes", async () => {
    await write();
    office.answer = { at: "recipient", code: 451 };
    await sendDue();
    expect(office.attempts).toBe(1);
    for (const [attempts, minutes] of [
      [2, 1],
      [3, 5],
      [4, 15],
      [5, 30],
    ] as const) {
      await after(minutes - 0.1);
      expect(office.attempts).toBe(attempts - 1);
      await after(0.1);
      expect(office.attempts).toBe(attempts);
    }
    expect(await waiting()).toBe(1);
    await after(30);
    expect([office.attempts, await waiting()]).toEqual([5, 0]);
    expect(house.lines).toContainEqual({ level: "warn", event: "mails-expired", fields: { mails: 1 } });
  });

  test("says never is believed", async () => {
    await write();
    office.answer = { at: "recipient", code: 550 };
    await sendDue();
    await after(31);
    expect([office.attempts, await waiting()]).toEqual([1, 0]);
    expect(JSON.stringify(house.lines)).not.toContain("anna@");
  });

  test("is down gets everything within two minutes of its return", async () => {
    await office.close();
    await write();
    await write();
    for (let minutes = 0; minutes < 20; minutes++) await after(1);
    expect(await waiting()).toBe(2);
    office = await openPostOffice({ port: office.port });
    expect(await after(2)).toBe(2);
    expect(await waiting()).toBe(0);
  });

  test("hangs up after the text is asked again", async () => {
    await write();
    office.answer = { at: "end", code: "drop" };
    await sendDue();
    expect(await waiting()).toBe(1);
    office.answer = null;
    await after(1);
    expect(await waiting()).toBe(0);
    // A repetition has the same Message-ID, by which a mail server can tell.
    expect(new Set(office.mails.map(({ raw }) => /^Message-ID: (.*)$/m.exec(raw)?.[1])).size).toBe(1);
  });

  test.each([
    ["smtp", "a certificate of somebody else's", { certificate: "foreign" }],
    ["smtps", "a certificate of somebody else's", { certificate: "foreign", isImplicit: true }],
    ["smtp", "a certificate nobody vouches for", { certificate: "own" }],
  ] as const)("offers by %s %s gets nothing", async (_, __, options) => {
    await house.close();
    await office.close();
    office = await openPostOffice(options);
    house = await openHouse({ SMTP_URL: office.url });
    await write();
    await sendDue();
    expect([office.mails, await waiting()]).toEqual([[], 1]);
    expect(office.commands.filter((command) => /^(MAIL|RCPT|DATA|AUTH)/i.test(command))).toEqual([]);
  });

  test("runs without encryption on this very machine gets mail, but no password", async () => {
    await house.close();
    await office.close();
    office = await openPostOffice({ hasTls: false });
    house = await openHouse({ SMTP_URL: office.url });
    await write();
    await sendDue();
    expect(office.mails).toMatchObject([{ isEncrypted: false }]);
    await house.close();
    house = await openHouse({ SMTP_URL: office.url.replace("//", "//wirt:geheim@") });
    await write();
    await sendDue();
    expect(office.mails).toHaveLength(1);
    expect(office.commands.filter((command) => command.startsWith("AUTH"))).toEqual([]);
  });

  test("that was encrypted once gets nothing when its encryption is gone", async () => {
    await write();
    await sendDue();
    expect(office.mails).toMatchObject([{ isEncrypted: true }]);
    await office.close();
    office = await openPostOffice({ hasTls: false, port: office.port });
    await write();
    await sendDue();
    expect(office.mails).toEqual([]);
  });

  test("wants a name and a password gets them, encrypted", async () => {
    await house.close();
    await office.close();
    office = await openPostOffice({ login: ["wirt@pub.example", "Faß & Krug"] });
    const url = new URL(office.url);
    house = await openHouse({
      SMTP_URL: `smtp://${encodeURIComponent("wirt@pub.example")}:${encodeURIComponent("Faß & Krug")}@${url.host}`,
    });
    await write();
    await sendDue();
    expect(office.mails).toMatchObject([{ isEncrypted: true }]);
  });
});

test("no request waits for a mail server", async () => {
  await house.seat("anna");
  office.answer = { at: "recipient", code: "hang" };
  const stop = house.platform.mailer.start();
  const visitor = house.visitor();
  await visitor.get("/sanctum/csrf-cookie");
  for (let attempt = 0; attempt < 3; attempt++) {
    expect((await visitor.post("/api/forgot-password", { email: "anna@stammtisch.example" })).status).toBe(200);
  }
  await expect.poll(() => office.attempts).toBe(1);
  stop();
  await house.platform.mailer.sendDue();
  expect(await waiting()).toBe(3);
});
