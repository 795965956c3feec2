import * as contract from "#contract/invitations.ts";
import { maxId } from "#server/db/paginate.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { inviteAsAdmin, listManagedInvitations, revokeInvitation } from "./actions.ts";

const pageSize = 50;

export function addAdminRoutes(context: Context): void {
  const { http } = context;
  handle(http, contract.getInvitations, ({ query: { before = maxId } }) =>
    listManagedInvitations(context, before, pageSize),
  );
  handle(http, contract.makeInvitation, ({ member, body }) => inviteAsAdmin(context, member, body));
  handle(http, contract.revokeInvitation, ({ member, params }) => revokeInvitation(context, params.id, member.id));
}
