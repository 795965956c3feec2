import type { FastifyReply, FastifyRequest } from "fastify";

import * as contract from "#contract/oidc.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { sourceOf } from "#server/platform/http/request-log.ts";
import { createProvider } from "#server/platform/oidc/provider.ts";
import { clientOf, endSession, type StartedSession } from "./login-actions.ts";
import * as actions from "./oidc-actions.ts";
import { endSessions } from "./oidc-end-actions.ts";
import { lifetimeMs } from "./oidc-rules.ts";

/** Adds no routes without a configured OpenID provider. */
export function addOidcRoutes(context: Context): void {
  const { http, config } = context;
  if (config.oidcIssuer === null) return;
  const provider = createProvider(context);
  const { cookies, origins } = http;

  handle(http, contract.startOidcLogin, async ({ body, request, reply }) =>
    send(await actions.startLogin(context, provider, body, origins.originOf(request.headers)), reply),
  );
  handle(http, contract.finishOidc, async ({ body, request, reply }) => {
    const answer = new URLSearchParams(body.answer);
    const browser = cookies.readOidc(request.headers.cookie);
    const finished = await actions.finish(context, provider, answer, browser, clientOf(http, request));
    const { started, renewed } = finished;
    if (started) await logIn(started, request, reply);
    if (renewed) cookies.setSession(reply, renewed);
    if (finished.reply.registration === null) cookies.clearOidc(reply);
    return finished.reply;
  });
  handle(http, contract.registerWithOidc, async ({ body, request, reply }) => {
    const browser = cookies.readOidc(request.headers.cookie);
    const started = await actions.register(context, provider, body, browser, clientOf(http, request));
    await logIn(started, request, reply);
    cookies.clearOidc(reply);
    return { user: started.user };
  });

  handle(http, contract.endOidcSessions, ({ body }) => endSessions(context, provider, body.logout_token));
  handle(http, contract.getOidcLink, ({ member }) => actions.findLink(context, member));
  handle(http, contract.getOidcLogout, ({ member, request }) =>
    actions.findLogout(context, provider, member, origins.originOf(request.headers)),
  );
  handle(http, contract.startOidcLink, async ({ member, request, reply }) =>
    send(await actions.startLink(context, provider, member, origins.originOf(request.headers)), reply),
  );
  handle(http, contract.startOidcConfirmation, async ({ member, body, request, reply }) => {
    const origin = origins.originOf(request.headers);
    return send(await actions.startConfirmation(context, provider, member, body.return_to, origin), reply);
  });
  handle(http, contract.removeOidcLink, ({ member, request }) => actions.unlink(context, member, sourceOf(request)));

  function send({ url, browser }: { url: string; browser: string }, reply: FastifyReply) {
    cookies.setOidc(reply, browser, (lifetimeMs.request + lifetimeMs.registration) / 1000);
    return { url };
  }

  async function logIn(started: StartedSession, { sessionCookie }: FastifyRequest, reply: FastifyReply): Promise<void> {
    if (sessionCookie) await endSession(context, sessionCookie);
    cookies.setSession(reply, started);
  }
}
