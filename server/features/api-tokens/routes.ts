import * as contract from "#contract/api-tokens.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { sourceOf } from "#server/platform/http/request-log.ts";
import * as actions from "./actions.ts";

export function addRoutes(context: Context): void {
  const { http } = context;
  handle(http, contract.getTokens, ({ member }) => actions.listOwnTokens(context, member));
  handle(http, contract.createToken, ({ member, body, request }) =>
    actions.createToken(context, member, body, sourceOf(request)),
  );
  handle(http, contract.revokeToken, ({ member, params, request }) =>
    actions.revokeToken(context, member, params.id, sourceOf(request)),
  );
}
