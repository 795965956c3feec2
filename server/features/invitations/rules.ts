import { createHmac, randomBytes } from "node:crypto";

import { type Invitation, invitationDays } from "#contract/admin-invitations.ts";
import { sha256 } from "#server/platform/http/session-cookies.ts";
import { days, hasExpired } from "#server/time.ts";

/** The longest time that an invitation is valid, in ms. */
export const maxLifetimeMs = days(invitationDays.max);

/** Crockford's base32: no I, L, O or U, so that a token can be read out and typed. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const groups = [5, 5, 5, 5, 6];

/** 130 random bits in groups, `XXXXX-XXXXX-XXXXX-XXXXX-XXXXXX`. */
export function createInvitationToken(): string {
  return toToken(randomBytes(32));
}

/** The token of the first administrator's invitation: the same on all instances and after every restart. */
export function createFirstToken(appKey: string): string {
  return toToken(createHmac("sha256", appKey).update("first-invitation:").digest());
}

function toToken(bytes: Buffer): string {
  const letters = Array.from(bytes, (byte) => alphabet[byte % alphabet.length]);
  return groups.map((size) => letters.splice(0, size).join("")).join("-");
}

/** The token without the differences of typing: case, hyphens and blanks do not matter, O is 0, I and L are 1. */
export function normalizeToken(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
}

/** How a token is stored. */
export function hashToken(typed: string): string {
  return sha256(normalizeToken(typed));
}

/** The state of an invitation: revoked comes before used, used before expired. */
export function toInvitationState(
  { revoked_at, uses_left, expires_at }: { revoked_at: number | null; uses_left: number; expires_at: number },
  now: number,
): Invitation["state"] {
  if (revoked_at !== null) return "revoked";
  if (uses_left < 1) return "used";
  return hasExpired(expires_at, now, maxLifetimeMs) ? "expired" : "open";
}
