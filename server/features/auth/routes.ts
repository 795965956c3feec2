import * as contract from "#contract/auth.ts";
import { user } from "#contract/members.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { createRandomToken } from "#server/platform/http/session-cookies.ts";
import { clientOf, endSession, login } from "./actions.ts";

export function addRoutes(context: Context): void {
  const { http } = context;

  handle(http, contract.getCsrfCookie, async ({ member, request, reply }) => {
    // A visitor always gets a new session id, so that an id planted by an attacker is never used.
    if (member && request.sessionCookie) http.cookies.setCsrfToken(reply, request.sessionCookie, null);
    else http.cookies.setSession(reply, { sessionId: createRandomToken(), maxAgeSeconds: null });
  });

  handle(http, contract.checkLoginStatus, async ({ member }) => ({ user: member && user.parse(member) }));

  handle(http, contract.login, async ({ body, request, reply }) => {
    const started = await login(context, body, clientOf(http, request));
    if (request.sessionCookie) await endSession(context, request.sessionCookie);
    http.cookies.setSession(reply, started);
    return { user: started.user };
  });

  for (const endpoint of [contract.logout, contract.logoutByPost]) {
    handle(http, endpoint, async ({ request, reply }) => {
      if (request.sessionCookie) await endSession(context, request.sessionCookie);
      http.cookies.clearSession(reply);
      reply.header("clear-site-data", '"cache"');
    });
  }
}
