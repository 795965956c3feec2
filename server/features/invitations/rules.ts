import { randomInt } from "node:crypto";

/** In ms. */
export const day = 24 * 60 * 60_000;

/** How long an invitation lives unless its maker says otherwise, and the longest he or she may say, in days. */
export const invitationDays = { usual: 7, most: 30 } as const;

/** Crockford's base32: no I, L, O or U, so that a token can be read out and typed. */
const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const groups = [5, 5, 5, 5, 6];

/** 130 random bits in groups, `XXXXX-XXXXX-XXXXX-XXXXX-XXXXXX`. */
export function newInvitationToken(): string {
  return groups
    .map((size) => Array.from({ length: size }, () => alphabet[randomInt(alphabet.length)]).join(""))
    .join("-");
}

/** The token as it was made, however it was typed: case, hyphens and blanks do not matter, O is 0, I and L are 1. */
export function normaliseToken(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
}
