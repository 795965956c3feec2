import { ApiError } from "#web/client/api.ts";

/** Loads the code for passkeys on first use, because most visits do not need it. */
export const loadPasskeys = () => import("./passkeys.ts").catch(refuseLoading);

/** Loads the code for logins with OpenID on first use. */
export const loadOidc = () => import("./oidc.ts").catch(refuseLoading);

function refuseLoading(): never {
  // The device is offline, or the server has a newer version without this file. Firefox does not
  // fetch a failed module again until the page is reloaded.
  throw new ApiError(0, "Das konnte nicht geladen werden. Lade bitte die Seite neu, sobald du Empfang hast.");
}
