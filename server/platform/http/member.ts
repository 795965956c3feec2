import type { Permission } from "#contract/endpoint.ts";
import type { User } from "#contract/members.ts";
import { hours } from "#server/time.ts";
import { refuse } from "./refusal.ts";

/** The member who sent the request, with a live session. Read from the database for every request. */
export interface Member extends User {
  readonly permissions: Permission[];
  /** SHA-256 of the session id, hex, as stored. */
  readonly sessionId: string;
  /** When the password was last entered in this session, epoch ms. */
  readonly confirmedAt: number;
}

const recentPasswordMs = hours(3);

/** Refuses with 423 unless the password was entered in this session within the last three hours. */
export function checkRecentPassword(member: Member, now: number): void {
  if (now - member.confirmedAt >= recentPasswordMs) throw refuse("M423");
}

export function hasPermissions(
  member: { readonly permissions: readonly Permission[] },
  needed: readonly Permission[],
): boolean {
  return needed.every((permission) => member.permissions.includes(permission));
}
