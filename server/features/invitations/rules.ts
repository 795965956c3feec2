import { randomInt } from "node:crypto";

import type { Invitation } from "#contract/admin-invitations.ts";

/** Crockford's base32: no I, L, O or U, so that a token can be read out and typed. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const groups = [5, 5, 5, 5, 6];

/** 130 random bits in groups, `XXXXX-XXXXX-XXXXX-XXXXX-XXXXXX`. */
export function createInvitationToken(): string {
  return groups
    .map((size) => Array.from({ length: size }, () => alphabet[randomInt(alphabet.length)]).join(""))
    .join("-");
}

/** The token without the differences of typing: case, hyphens and blanks do not matter, O is 0, I and L are 1. */
export function normalizeToken(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
}

/** The state of an invitation: revoked comes before used, used before expired. */
export function toInvitationState(
  { revoked_at, uses_left, expires_at }: { revoked_at: number | null; uses_left: number; expires_at: number },
  now: number,
): Invitation["state"] {
  if (revoked_at !== null) return "revoked";
  if (uses_left < 1) return "used";
  return expires_at > now ? "open" : "expired";
}
