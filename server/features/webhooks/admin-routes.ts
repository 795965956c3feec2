import * as contract from "#contract/webhooks.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import * as actions from "./actions.ts";

export function addAdminRoutes(context: Context): void {
  const { http } = context;
  handle(http, contract.getWebhooks, () => actions.listWebhooks(context));
  handle(http, contract.createWebhook, ({ member, body }) => actions.createWebhook(context, body, member.id));
  handle(http, contract.changeWebhook, ({ member, params, body }) =>
    actions.changeWebhook(context, params.id, body, member.id),
  );
  handle(http, contract.resumeWebhook, ({ member, params }) => actions.resumeWebhook(context, params.id, member.id));
  handle(http, contract.testWebhook, ({ params }) => actions.testWebhook(context, params.id));
  handle(http, contract.deleteWebhook, ({ member, params }) => actions.deleteWebhook(context, params.id, member.id));
}
