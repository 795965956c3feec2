import { logout as logoutEndpoint } from "#contract/auth.ts";
import { call } from "#web/data/api.ts";
import { loadOidc } from "./load-login.ts";
import { confirmLogout, endSession, getGroup } from "./session.ts";

/**
 * Logs out and navigates home, or to the OpenID provider if the session began there; resolves to
 * `false` if a hook cancelled the logout. Throws ApiError if the server does not answer.
 */
export async function logout(): Promise<boolean> {
  if (!(await confirmLogout())) return false;
  const providerPage = await findProviderPage();
  await endSession(() => call(logoutEndpoint));
  if (providerPage !== null) location.assign(providerPage);
  return true;
}

/**
 * Returns the address at which the OpenID provider ends the session there; `null` if there is no
 * such session or the address could not be loaded.
 */
async function findProviderPage(): Promise<string | null> {
  if (getGroup().oidc_label === undefined) return null;
  try {
    return await (await loadOidc()).findLogout();
  } catch {
    return null;
  }
}
