import * as contract from "#contract/member-management.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import * as actions from "./actions.ts";

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
}
