import { argon2, randomBytes, timingSafeEqual } from "node:crypto";
import { availableParallelism } from "node:os";
import { promisify } from "node:util";

import { OverloadedError } from "#server/platform/jobs/batcher.ts";
import { createSemaphore } from "#server/platform/jobs/semaphore.ts";

/** `memory` is in KiB. */
export interface HashCost {
  readonly memory: number;
  readonly passes: number;
}

/** OWASP's minimum for argon2id; takes about 10 ms per login. */
const productionCost: HashCost = { memory: 19_456, passes: 2 };

/** One processor core remains free for other requests. */
export const maxParallelHashes = Math.min(4, Math.max(1, availableParallelism() - 1));
const withPermit = createSemaphore(maxParallelHashes);

const derive = promisify(argon2);

/** Uses argon2id on Unicode's composed form (NFC). Returns a PHC string. */
export async function hashPassword(password: string, cost = productionCost): Promise<string> {
  const nonce = randomBytes(16);
  const tag = await withPermit(Number.POSITIVE_INFINITY, () =>
    derive("argon2id", { message: password.normalize("NFC"), nonce, ...cost, parallelism: 1, tagLength: 32 }),
  );
  return `${prefix(cost)}${toUnpaddedBase64(nonce)}$${toUnpaddedBase64(tag)}`;
}

/** Throws an OverloadedError if `maxWaiting` or more calls wait. */
export function rejectWhenFull(maxWaiting: number): void {
  if (withPermit.waitingCount() >= maxWaiting) throw new OverloadedError();
}

/** `hash` is a PHC string. Compares in constant time. Throws an OverloadedError if `maxWaiting` calls are waiting. */
export async function verifyPassword(hash: string, password: string, maxWaiting: number): Promise<boolean> {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash);
  if (!match) return false;
  const [, memory, passes, parallelism, nonce, tag] = match;
  const expected = Buffer.from(tag!, "base64");
  const given = await withPermit(maxWaiting, () =>
    derive("argon2id", {
      message: password.normalize("NFC"),
      nonce: Buffer.from(nonce!, "base64"),
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
      tagLength: expected.length,
    }),
  );
  return timingSafeEqual(given, expected);
}

/** `true` if new hashes have other parameters. */
export function needsRehash(hash: string, cost = productionCost): boolean {
  return !hash.startsWith(prefix(cost));
}

/** No password matches; verifying it takes as long as verifying a member's hash. */
export function createDummyHash(cost = productionCost): string {
  return `${prefix(cost)}${toUnpaddedBase64(randomBytes(16))}$${toUnpaddedBase64(randomBytes(32))}`;
}

function prefix(cost: HashCost): string {
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=1$`;
}

function toUnpaddedBase64(bytes: Buffer): string {
  return bytes.toString("base64").replaceAll("=", "");
}
