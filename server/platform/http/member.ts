import type { Permission, TokenScope } from "#contract/endpoint.ts";
import type { User } from "#contract/members.ts";
import { hours } from "#server/time.ts";
import { refuse } from "./refusal.ts";

/** Read from the database for every request. */
export interface Member extends User {
  readonly permissions: Permission[];
  /** SHA-256 as stored, in hex; empty for a call with an API token. */
  readonly sessionId: string;
  /** Last password entry or passkey use in this session, epoch ms. */
  readonly confirmedAt: number;
  /** Last passkey use in this session, epoch ms. */
  readonly passkeyAt: number | null;
}

/**
 * A call with an API token has no session: the member's `sessionId` is empty, `confirmedAt` is 0 and `passkeyAt` is
 * `null`.
 */
export interface TokenCaller {
  readonly scope: TokenScope;
  readonly member: Member;
}

const recentPasswordMs = hours(3);

/** Refuses with 423 unless a passkey was used within the last three hours. */
export function checkRecentPasskey({ passkeyAt }: Member, now: number): void {
  if (passkeyAt === null || passkeyAt <= now - recentPasswordMs) throw refuse("passkeyRequired");
}

/** Refuses with 423 unless a password or passkey was used within the last `ms`. */
export function checkRecentPassword(member: Member, now: number, ms = recentPasswordMs): void {
  if (member.confirmedAt <= now - ms) throw refuse("passwordRequired");
}

export function hasPermissions(
  member: { readonly permissions: readonly Permission[] },
  needed: readonly Permission[],
): boolean {
  return needed.every((permission) => member.permissions.includes(permission));
}
