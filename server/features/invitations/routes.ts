import * as contract from "#contract/registration.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { register } from "./actions.ts";

export function addRoutes(context: Context): void {
  handle(context.http, contract.register, ({ body }) => register(context, body));
}
