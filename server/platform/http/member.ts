import type { Permission, TokenScope } from "#contract/endpoint.ts";
import type { User } from "#contract/members.ts";
import { hours } from "#server/time.ts";
import { refuse } from "./refusal.ts";

/** A member with a valid session, read from the database for every request. */
export interface Member extends User {
  readonly permissions: Permission[];
  /** SHA-256 of the session id as stored, in hex; empty for a call with an API token. */
  readonly sessionId: string;
  /** Time of the last password entry or passkey use in this session, epoch ms. */
  readonly confirmedAt: number;
  /** Time of the last passkey use in this session, epoch ms; `null` if none was used. */
  readonly passkeyAt: number | null;
}

/**
 * The member to whom an API token belongs, and the token's scope. The member's `sessionId` is
 * empty, `confirmedAt` is 0 and `passkeyAt` is `null`, because the call has no session.
 */
export interface TokenCaller {
  readonly scope: TokenScope;
  readonly member: Member;
}

const recentPasswordMs = hours(3);

/** Refuses with 423 unless a passkey was used in this session within the last three hours. */
export function checkRecentPasskey({ passkeyAt }: Member, now: number): void {
  if (passkeyAt === null || passkeyAt <= now - recentPasswordMs) throw refuse("passkeyRequired");
}

/** Refuses with 423 unless a password or passkey was used in this session within the last `ms`, three hours by default. */
export function checkRecentPassword(member: Member, now: number, ms = recentPasswordMs): void {
  if (member.confirmedAt <= now - ms) throw refuse("passwordRequired");
}

export function hasPermissions(
  member: { readonly permissions: readonly Permission[] },
  needed: readonly Permission[],
): boolean {
  return needed.every((permission) => member.permissions.includes(permission));
}
