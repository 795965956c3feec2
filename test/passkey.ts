import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from "node:crypto";

import { isoCBOR } from "@simplewebauthn/server/helpers";

interface Ceremony {
  readonly challenge: string;
  readonly origin?: string;
  readonly rpId?: string;
  /** `true` if the passkey claims that it asked for a finger, a face or a PIN. */
  readonly isVerified?: boolean;
  /** The number of uses that the passkey reports. The test sets it; the passkey does not count. */
  readonly counter?: number;
  /** The user id that the passkey names when it signs; missing if it names none. */
  readonly userHandle?: string;
  /** The format of the attestation; `none` by default. */
  readonly attestation?: string;
}

/** A passkey in software that signs every challenge. */
export interface TestPasskey {
  readonly id: string;
  /** Returns what a browser sends for a new passkey. */
  create(ceremony: Ceremony): object;
  /** Returns what a browser sends for a login or a confirmation. */
  sign(ceremony: Ceremony): object;
}

const userPresent = 0x01;
const userVerified = 0x04;
const hasCredential = 0x40;
const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();

export function createTestPasskey(id = randomBytes(16)): TestPasskey {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const base = { id: id.toString("base64url"), rawId: id.toString("base64url"), type: "public-key" };
  return {
    id: base.id,
    create(ceremony) {
      const credential = [Buffer.alloc(16), Buffer.from([id.length >> 8, id.length & 0xff]), id, encodeKey(publicKey)];
      const authData = Buffer.concat([describeUse(ceremony, hasCredential), ...credential]);
      const attestation = new Map<string, unknown>([
        ["fmt", ceremony.attestation ?? "none"],
        ["attStmt", new Map()],
        ["authData", Uint8Array.from(authData)],
      ]);
      const attestationObject = Buffer.from(isoCBOR.encode(attestation as never)).toString("base64url");
      const clientDataJSON = describeClient("webauthn.create", ceremony);
      const response = { clientDataJSON, attestationObject, transports: ["internal"] };
      return { ...base, response, clientExtensionResults: {} };
    },
    sign(ceremony) {
      const authData = describeUse(ceremony, 0);
      const clientDataJSON = describeClient("webauthn.get", ceremony);
      const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, "base64url"))]);
      const signature = createSign("sha256").update(signed).sign(privateKey).toString("base64url");
      const authenticatorData = authData.toString("base64url");
      const response = { clientDataJSON, authenticatorData, signature, userHandle: ceremony.userHandle };
      return { ...base, response, clientExtensionResults: {} };
    },
  };
}

function describeClient(type: string, { challenge, origin = "http://localhost:3000" }: Ceremony): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false })).toString("base64url");
}

function describeUse({ rpId = "localhost", isVerified = true, counter = 0 }: Ceremony, more: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  const flags = userPresent | (isVerified ? userVerified : 0) | more;
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
}

/** Encodes an ES256 public key as COSE. */
function encodeKey(key: KeyObject): Buffer {
  const { x, y } = key.export({ format: "jwk" });
  const coordinate = (text: string | undefined) => Uint8Array.from(Buffer.from(text!, "base64url"));
  const parts: [number, unknown][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, coordinate(x)],
    [-3, coordinate(y)],
  ];
  return Buffer.from(isoCBOR.encode(new Map(parts) as never));
}
