import type { ReplyOf } from "#contract/endpoint.ts";
import * as contract from "#contract/oidc.ts";
import { call } from "#web/client/api.ts";

/** Navigates to the OpenID provider for a login; resolves if the browser's back button returns to this page. */
export async function startLogin(return_to: string, isRemembered = true, invitation?: string): Promise<void> {
  const body = { rememberUser: isRemembered, return_to, ...(invitation !== undefined && { invitation }) };
  await leave(await call(contract.startOidcLogin, { body }));
}

/** Navigates to the OpenID provider, whose identity is then linked with the account; resolves like `startLogin`. */
export async function startLink(): Promise<void> {
  await leave(await call(contract.startOidcLink));
}

/**
 * Navigates to the OpenID provider, where a new login confirms an action like entering the
 * password; resolves like `startLogin`.
 */
export async function startConfirmation(): Promise<void> {
  const { pathname, search, hash } = location;
  await leave(await call(contract.startOidcConfirmation, { body: { return_to: pathname + search + hash } }));
}

/**
 * Sends the provider's answer to the server. The answer is the query of this page's address, and is
 * removed from the address.
 */
export async function finish(): Promise<ReplyOf<typeof contract.finishOidc>> {
  const answer = location.search;
  history.replaceState(history.state, "", location.pathname);
  return call(contract.finishOidc, { body: { answer } });
}

export async function findLink(signal: AbortSignal): Promise<ReplyOf<typeof contract.getOidcLink>> {
  return call(contract.getOidcLink, { signal });
}

/**
 * Returns the address at which the OpenID provider ends its own session of the member; `null` if
 * this session did not begin with an OpenID login.
 */
export async function findLogout(): Promise<string | null> {
  return (await call(contract.getOidcLogout)).url;
}

function leave({ url }: { readonly url: string }): Promise<void> {
  return new Promise((resolve) => {
    addEventListener("pageshow", () => resolve(), { once: true });
    location.assign(url);
  });
}
