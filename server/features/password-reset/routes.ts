import * as contract from "#contract/password-reset.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { sourceOf } from "#server/platform/http/request-log.ts";
import { requestReset, resetPassword } from "./actions.ts";

export function addRoutes(context: Context): void {
  handle(context.http, contract.forgotPassword, ({ body, request }) => requestReset(context, body.email, request.ip));
  handle(context.http, contract.resetPassword, ({ body, request }) => resetPassword(context, body, sourceOf(request)));
}
