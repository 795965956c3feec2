import type { Permission } from "#contract/endpoint.ts";
import type { User } from "#contract/members.ts";
import { hasExpired, hours } from "#server/time.ts";
import { refuse } from "./refusal.ts";

/** The member who sent the request, with a live session. Read from the database for every request. */
export interface Member extends User {
  readonly permissions: Permission[];
  /** SHA-256 of the session id, hex, as stored. */
  readonly sessionId: string;
  /** When the password was last entered or a passkey used in this session, epoch ms. */
  readonly confirmedAt: number;
  /** When a passkey was last used in this session, epoch ms; null: never. */
  readonly passkeyAt: number | null;
}

const recentPasswordMs = hours(3);

/** Refuses with 423 unless a passkey was used in this session within the last three hours. */
export function checkRecentPasskey({ passkeyAt }: Member, now: number): void {
  if (passkeyAt === null || hasExpired(passkeyAt + recentPasswordMs, now, recentPasswordMs))
    throw refuse("M423passkey");
}

/** Refuses with 423 unless the password was entered, or a passkey used, in this session within `ms`: usually three hours. */
export function checkRecentPassword(member: Member, now: number, ms = recentPasswordMs): void {
  if (hasExpired(member.confirmedAt + ms, now, ms)) throw refuse("M423");
}

export function hasPermissions(
  member: { readonly permissions: readonly Permission[] },
  needed: readonly Permission[],
): boolean {
  return needed.every((permission) => member.permissions.includes(permission));
}
