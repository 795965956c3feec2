import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

import type { PushTarget } from "./endpoint.ts";

/** Bytes; larger than any message, so that each message is a single record. */
const recordSize = 4096;
const lastRecord = 2;

/** Only the test with the example of RFC 8291 passes these values. */
export interface RandomInput {
  readonly salt: Buffer;
  /** 32 bytes. */
  readonly privateKey: Buffer;
}

/** Web Push (RFC 8291) over aes128gcm (RFC 8188). */
export function encryptMessage(
  message: string,
  { p256dh, auth }: Omit<PushTarget, "endpoint">,
  chance?: RandomInput,
): Buffer {
  const ours = createECDH("prime256v1");
  if (chance) ours.setPrivateKey(chance.privateKey);
  else ours.generateKeys();
  const salt = chance?.salt ?? randomBytes(16);
  const theirKey = Buffer.from(p256dh, "base64url");
  const ourKey = ours.getPublicKey();

  const shared = ours.computeSecret(theirKey);
  const input = derive(shared, Buffer.from(auth, "base64url"), ["WebPush: info\0", theirKey, ourKey], 32);
  const key = derive(input, salt, ["Content-Encoding: aes128gcm\0"], 16);
  const nonce = derive(input, salt, ["Content-Encoding: nonce\0"], 12);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  const sealed = [cipher.update(message, "utf8"), cipher.update(Buffer.of(lastRecord)), cipher.final()];

  const head = Buffer.alloc(5);
  head.writeUInt32BE(recordSize);
  head.writeUInt8(ourKey.length, 4);
  return Buffer.concat([salt, head, ourKey, ...sealed, cipher.getAuthTag()]);
}

function derive(secret: Buffer, salt: Buffer, info: readonly (string | Buffer)[], bytes: number): Buffer {
  const context = Buffer.concat(info.map((part) => Buffer.from(part)));
  return Buffer.from(hkdfSync("sha256", secret, salt, context, bytes));
}
