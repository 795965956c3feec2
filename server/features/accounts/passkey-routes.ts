import * as contract from "#contract/passkeys.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { sourceOf } from "#server/platform/http/request-log.ts";
import { sha256 } from "#server/platform/http/session-cookies.ts";
import { clientOf, endSession } from "./login-actions.ts";
import * as actions from "./passkey-actions.ts";

export function addPasskeyRoutes(context: Context): void {
  const { http } = context;
  const { setSession } = http.cookies;

  handle(http, contract.getPasskeys, ({ member }) => actions.listOwnPasskeys(context, member));
  handle(http, contract.startPasskey, ({ member }) => actions.createAddOptions(context, member));
  handle(http, contract.addPasskey, ({ member, body, request }) =>
    actions.addPasskey(context, member, body, sourceOf(request)),
  );
  handle(http, contract.renamePasskey, ({ member, params, body }) =>
    actions.renamePasskey(context, member, params.id, body.name),
  );
  handle(http, contract.removePasskey, ({ member, params, request }) =>
    actions.removePasskey(context, member, params.id, sourceOf(request)),
  );

  // `sessionCookie` is never missing here, because the CSRF check refuses requests without one.
  handle(http, contract.startPasskeyLogin, ({ request }) =>
    actions.createLoginOptions(context, sha256(request.sessionCookie!)),
  );
  handle(http, contract.loginWithPasskey, async ({ body, request, reply }) => {
    const sessionCookie = request.sessionCookie!;
    const started = await actions.loginWithPasskey(context, body, clientOf(http, request), sha256(sessionCookie));
    await endSession(context, sessionCookie);
    setSession(reply, started);
    return { user: started.user };
  });

  handle(http, contract.startPasskeyConfirmation, ({ member }) => actions.createConfirmOptions(context, member));
  handle(http, contract.confirmWithPasskey, async ({ member, body, request, reply }) =>
    setSession(reply, await actions.confirmWithPasskey(context, member, body.credential, sourceOf(request))),
  );
}
