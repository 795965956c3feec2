import * as contract from "#contract/group.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { findManagedGroup, updateGroup } from "./actions.ts";

export function addAdminRoutes(context: Context): void {
  const { http } = context;
  handle(http, contract.getManagedGroup, () => findManagedGroup(context));
  handle(http, contract.changeGroup, ({ member, body }) => updateGroup(context, body, member.id));
}
