import type { ReplyOf } from "#contract/endpoint.ts";
import type { User } from "#contract/members.ts";
import type { startOidcLogin } from "#contract/oidc.ts";
import * as contract from "#contract/passkeys.ts";
import { ApiError, call } from "#web/client/api.ts";
import { readDeviceItem, writeDeviceItem } from "#web/client/storage.ts";

const passkeyUse = "stammtisch.passkey";
/** Time until an offer is renewed: the server accepts its challenge for five minutes. */
const offerMs = 4 * 60_000;

/** Resolves if the browser's back button returns to this page. */
export function openProvider({ url }: ReplyOf<typeof startOidcLogin>): Promise<void> {
  return new Promise((resolve) => {
    addEventListener("pageshow", () => resolve(), { once: true });
    location.assign(url);
  });
}

/** Passkeys require https or localhost. */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential === "function";
}

/** Lets the login page offer passkeys automatically. */
export function hasUsedPasskey(): boolean {
  return readDeviceItem(passkeyUse) !== null;
}

/** Resolves to the server's message. */
export async function createPasskey(name: string): Promise<string> {
  const { startRegistration } = await loadWebAuthn();
  const { options } = await call(contract.startPasskey);
  const credential = await startRegistration({ optionsJSON: options as never }).catch(refuseCeremony);
  const { message } = await call(contract.addPasskey, { body: { credential: credential as never, name } });
  writeDeviceItem(passkeyUse, "1");
  return message;
}

/** Opens the browser's dialog without `picked`. */
export async function loginWithPasskey(rememberUser: boolean, picked?: contract.Assertion): Promise<User> {
  const credential = picked ?? (await askForPasskey(contract.startPasskeyLogin));
  const { user } = await call(contract.loginWithPasskey, { body: { credential, rememberUser } });
  writeDeviceItem(passkeyUse, "1");
  return user;
}

export async function confirmWithPasskey(): Promise<void> {
  const credential = await askForPasskey(contract.startPasskeyConfirmation);
  await call(contract.confirmWithPasskey, { body: { credential } });
  writeDeviceItem(passkeyUse, "1");
}

/**
 * Waits for a passkey in the autofill, until `signal` is aborted. Returns `null` if the browser does not support this.
 */
export async function waitForPick(signal: AbortSignal): Promise<contract.Assertion | null> {
  const { browserSupportsWebAuthnAutofill, startAuthentication, WebAuthnAbortService } = await loadWebAuthn();
  if (!(await browserSupportsWebAuthnAutofill())) return null;
  const cancel = (): void => WebAuthnAbortService.cancelCeremony();
  for (;;) {
    const { options } = await call(contract.startPasskeyLogin, { signal });
    let isOutdated = false;
    const timer = setTimeout(() => {
      isOutdated = true;
      cancel();
    }, offerMs);
    signal.addEventListener("abort", cancel);
    try {
      const picked = await startAuthentication({ optionsJSON: options, useBrowserAutofill: true });
      return picked as unknown as contract.Assertion;
    } catch (error) {
      if (!isOutdated) throw error;
    } finally {
      clearTimeout(timer);
      // A dialog for a passkey ends the offer, and must not be canceled.
      signal.removeEventListener("abort", cancel);
    }
  }
}

async function askForPasskey(
  start: typeof contract.startPasskeyLogin | typeof contract.startPasskeyConfirmation,
): Promise<contract.Assertion> {
  const { startAuthentication } = await loadWebAuthn();
  const { options } = await call(start);
  return (await startAuthentication({ optionsJSON: options }).catch(refuseCeremony)) as unknown as contract.Assertion;
}

/** Loads the library on first use, because most visits do not need it. */
async function loadWebAuthn() {
  try {
    return await import("@simplewebauthn/browser");
  } catch {
    // The device is offline, or the server has a newer version. Firefox fetches a failed module only after a reload.
    throw new ApiError(0, "Das konnte nicht geladen werden. Lade bitte die Seite neu, sobald du Empfang hast.");
  }
}

/** Browsers report a canceled dialog and a missing passkey in the same way. */
function refuseCeremony(error: Error): never {
  const text =
    error.name === "InvalidStateError"
      ? "Auf diesem Gerät hast du schon einen Passkey."
      : "Das hat nicht geklappt: Es wurde kein Passkey benutzt.";
  throw new ApiError(422, text);
}
