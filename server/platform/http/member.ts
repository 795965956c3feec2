import type { Permission } from "#contract/endpoint.ts";
import type { User } from "#contract/members.ts";

/** Who is calling: a member behind a live session. Read afresh for every request. */
export interface Member extends User {
  readonly permissions: Permission[];
  /** SHA-256 of the session id, hex, as stored. */
  readonly sessionId: string;
  /** When the password was last entered in this session, epoch ms. */
  readonly confirmedAt: number;
}

export function mayDo(member: { readonly permissions: readonly Permission[] }, needed: readonly Permission[]): boolean {
  return needed.every((permission) => member.permissions.includes(permission));
}
