import { createPrivateKey, sign } from "node:crypto";

import type { Clock } from "#server/platform/clock.ts";
import type { Secrets } from "#server/platform/security/secrets.ts";
import { hours } from "#server/time.ts";
import { toJwk } from "./endpoint.ts";

/** Push services refuse more than a day. */
const tokenLifetime = hours(12);

/** Returns the Authorization header for the origin of a push service (RFC 8292). */
export function createVapidSigner({ publicKey, privateKey }: Secrets["vapid"], subject: string, clock: Clock) {
  const jwk = { ...toJwk(Buffer.from(publicKey, "base64url")), d: privateKey };
  const key = createPrivateKey({ key: jwk, format: "jwk" });

  return (origin: string): string => {
    const claims = { aud: origin, exp: Math.floor((clock.now() + tokenLifetime) / 1000), sub: subject };
    const token = [{ typ: "JWT", alg: "ES256" }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    const signature = sign("sha256", Buffer.from(token), { key, dsaEncoding: "ieee-p1363" }).toString("base64url");
    return `vapid t=${token}.${signature}, k=${publicKey}`;
  };
}
