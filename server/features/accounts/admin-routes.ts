import * as corrections from "#contract/corrections.ts";
import * as invitations from "#contract/invitations.ts";
import * as contract from "#contract/member-management.ts";
import { maxId } from "#server/db/paginate.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { correctName, listBeersToTakeBack, removeChosenPicture, takeBackBeersOf } from "./correction-actions.ts";
import { inviteAsAdmin, listManagedInvitations, revokeInvitation } from "./invitation-actions.ts";
import * as actions from "./management-actions.ts";

const pageSize = 50;

export function addAdminRoutes(context: Context): void {
  const { http } = context;

  handle(http, contract.getManagedMembers, () => actions.listManagedMembers(context));
  handle(http, contract.getOwnAccessLinks, ({ member }) => actions.countAccessLinks(context, member.id));
  handle(http, contract.setPermissions, ({ member, params, body }) =>
    actions.setMemberPermissions(context, member, params.id, body.permissions),
  );
  handle(http, contract.setDisabled, ({ member, params, body }) =>
    actions.setMemberDisabled(context, member, params.id, body.disabled),
  );
  handle(http, contract.makeResetLink, ({ member, params }) => actions.makeResetLink(context, member, params.id));

  handle(http, corrections.correctName, ({ member, params, body }) =>
    correctName(context, member, params.id, body.name),
  );
  handle(http, corrections.removePicture, ({ member, params }) => removeChosenPicture(context, member, params.id));
  handle(http, corrections.getMemberBeers, ({ params }) => listBeersToTakeBack(context, params.id));
  handle(http, corrections.takeBackBeers, ({ member, params, body }) =>
    takeBackBeersOf(context, member, params.id, body.ids),
  );

  handle(http, invitations.getInvitations, ({ query: { before = maxId } }) =>
    listManagedInvitations(context, before, pageSize),
  );
  handle(http, invitations.makeInvitation, ({ member, body }) => inviteAsAdmin(context, member, body));
  handle(http, invitations.revokeInvitation, ({ member, params }) => revokeInvitation(context, params.id, member.id));
}
