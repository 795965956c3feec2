import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

const cipher = "aes-256-gcm";
const lengths = { nonce: 12, tag: 16 } as const;

const keyOf = (secret: string): Uint8Array => new Uint8Array(hkdfSync("sha256", secret, "", "sealed text", 32));

/** Encrypts a text that only the server reads again. Returns base64url. */
export function seal(secret: string, text: string): string {
  const nonce = randomBytes(lengths.nonce);
  const sealing = createCipheriv(cipher, keyOf(secret), nonce);
  const body = Buffer.concat([sealing.update(text, "utf8"), sealing.final()]);
  return Buffer.concat([nonce, sealing.getAuthTag(), body]).toString("base64url");
}

/** Returns `null` for a text that was sealed with another secret, or changed since. */
export function unseal(secret: string, sealed: string): string | null {
  const bytes = Buffer.from(sealed, "base64url");
  const [nonce, tag] = [bytes.subarray(0, lengths.nonce), bytes.subarray(lengths.nonce, lengths.nonce + lengths.tag)];
  try {
    const opening = createDecipheriv(cipher, keyOf(secret), nonce, { authTagLength: lengths.tag }).setAuthTag(tag);
    return opening.update(bytes.subarray(lengths.nonce + lengths.tag), undefined, "utf8") + opening.final("utf8");
  } catch {
    return null;
  }
}
