import { expect, test } from "vitest";

import { OverloadedError } from "#server/platform/jobs/batcher.ts";
import { hashPassword, maxParallelHashes, createDummyHash, needsRehash, verifyPassword } from "./passwords.ts";

const password = "Zapfhahn-im-Keller-3";

test("verifyPassword accepts only the hashed password, and each hash of a password is different", async () => {
  const [one, other] = await Promise.all([hashPassword(password), hashPassword(password)]);
  expect(one).not.toBe(other);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  expect(await verifyPassword(one, password, 10)).toBe(true);
  expect(await verifyPassword(one, `${password} `, 10)).toBe(false);
  expect(await verifyPassword(one, "", 10)).toBe(false);
  expect(await verifyPassword(createDummyHash(), password, 10)).toBe(false);
});

test("verifyPassword accepts a hash of the reference implementation, which needsRehash reports as outdated", async () => {
  // The published argon2 hash of "password" with the salt "somesalt".
  const reference = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
  expect(await verifyPassword(reference, "password", 10)).toBe(true);
  expect(await verifyPassword(reference, "passwort", 10)).toBe(false);
  expect(needsRehash(reference)).toBe(true);
  expect(needsRehash(await hashPassword(password))).toBe(false);
});

test.each(["", "$argon2id$", "$2b$10$abcdefghijklmnopqrstuv", "plain"])(
  "no password matches the malformed hash %j",
  async (hash) => {
    expect(await verifyPassword(hash, "", 10)).toBe(false);
  },
);

test("the number of waiting password checks is limited, but not the number of new passwords to hash", async () => {
  const hash = await hashPassword(password);
  const guesses = await Promise.allSettled(Array.from({ length: 20 }, () => verifyPassword(hash, password, 5)));
  const refused = guesses.filter(({ status }) => status === "rejected");
  expect(refused).toHaveLength(20 - 5 - maxParallelHashes);
  for (const guess of refused) expect((guess as PromiseRejectedResult).reason).toBeInstanceOf(OverloadedError);
  expect(await Promise.all(Array.from({ length: 12 }, () => hashPassword(password)))).toHaveLength(12);
  expect(await verifyPassword(hash, password, 0)).toBe(true);
});
