import * as contract from "#contract/account.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { sourceOf } from "#server/platform/http/request-log.ts";
import { deleteAccount, createAccountExport, createBeersExport } from "./actions.ts";

export function addRoutes(context: Context): void {
  const { http } = context;

  handle(http, contract.exportAccount, async ({ member, reply }) => {
    const document = await createAccountExport(context, member);
    reply.header("content-disposition", 'attachment; filename="stammtisch.json"');
    return document;
  });

  handle(http, contract.exportBeers, async ({ member, reply }) => {
    const table = await createBeersExport(context, member);
    reply.header("content-disposition", 'attachment; filename="biere.csv"');
    return table;
  });

  handle(http, contract.deleteAccount, async ({ member, body, request, reply }) => {
    await deleteAccount(context, member, body, sourceOf(request));
    http.cookies.clearSession(reply);
    reply.header("clear-site-data", '"cache"');
  });
}
