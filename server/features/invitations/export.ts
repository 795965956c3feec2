import type { Permission } from "#contract/endpoint.ts";
import type { AccountExport } from "#server/platform/context.ts";
import { toIso } from "#server/time.ts";
import { listOwnInvitations } from "./store.ts";

export const accountExport: AccountExport = async ({ db }, { id }) => {
  const invitations = await listOwnInvitations(db, id);
  return {
    invitations_made: invitations.map(({ permissions, created_at, expires_at, uses_left, revoked_at }) => ({
      permissions: JSON.parse(permissions) as Permission[],
      made_at: toIso(created_at),
      expires_at: toIso(expires_at),
      uses_left,
      revoked_at: revoked_at === null ? null : toIso(revoked_at),
    })),
  };
};
