import { ApiError } from "#web/data/api.ts";

/** Loads the passkey library on first use, since most visits do not need it. */
export const loadPasskeys = () => import("./passkeys.ts").catch(refuseLoading);

/** Loads the code for logins with OpenID on first use. */
export const loadOidc = () => import("./oidc.ts").catch(refuseLoading);

function refuseLoading(): never {
  // Offline, or the file of an older version is gone. Firefox does not fetch it again on this page.
  throw new ApiError(0, "Das konnte nicht geladen werden. Lade bitte die Seite neu, sobald du Empfang hast.");
}
