import * as contract from "#contract/registration.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import * as actions from "./actions.ts";

export function addRoutes(context: Context): void {
  const { http } = context;
  handle(http, contract.getInviter, ({ body }) => actions.findInviter(context, body.token));
  handle(
    http,
    contract.register,
    ({ body }) => actions.register(context, body),
    (fields) => actions.checkRegistration(context, fields),
  );
}
