import {
  browserSupportsWebAuthnAutofill,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from "@simplewebauthn/browser";

import * as contract from "#contract/passkeys.ts";
import { ApiError, call } from "#web/client/api.ts";
import { showMessage } from "#web/page/messages.tsx";
import { rememberPasskeyUse } from "./passkey-support.ts";
import { becomeMember } from "./session.ts";

export async function listPasskeys(signal: AbortSignal): Promise<contract.Passkey[]> {
  return call(contract.getPasskeys, { signal });
}

/** Creates a passkey with the browser's dialog; resolves to the server's message for the screen. */
export async function createPasskey(name: string): Promise<string> {
  const { options } = await call(contract.startPasskey);
  const credential = await startRegistration({ optionsJSON: options as never }).catch(refuseCeremony);
  const { message } = await call(contract.addPasskey, { body: { credential: credential as never, name } });
  rememberPasskeyUse();
  return message;
}

/**
 * Logs in with a passkey; `arrive` runs in the same update as the change of member, as in
 * `login()`.
 */
export async function loginWithPasskey(isRemembered: boolean, arrive: () => void): Promise<void> {
  const credential = await askForPasskey(contract.startPasskeyLogin);
  await finishLogin(credential, isRemembered, arrive);
}

/**
 * Offers passkeys in the autofill of the user name field, until `signal` is aborted. Does nothing
 * if the browser does not support this.
 */
export async function offerPasskeys(
  isRemembered: () => boolean,
  arrive: () => void,
  signal: AbortSignal,
): Promise<void> {
  if (!(await browserSupportsWebAuthnAutofill())) return;
  signal.addEventListener("abort", () => WebAuthnAbortService.cancelCeremony());
  const credential = await waitForPick(signal);
  // Only a chosen passkey that the server refuses shows an error; an offer that ends shows none.
  await finishLogin(credential as never, isRemembered(), arrive).catch((error: ApiError) => {
    showMessage({ type: "error", text: error.message });
  });
}

/**
 * Milliseconds after which an offer of passkeys is renewed, because the server accepts the
 * challenge of an offer for only five minutes.
 */
const offerDuration = 4 * 60_000;

async function waitForPick(signal: AbortSignal): Promise<unknown> {
  const { options } = await call(contract.startPasskeyLogin, { signal });
  let isOutdated = false;
  const timer = setTimeout(() => {
    isOutdated = true;
    WebAuthnAbortService.cancelCeremony();
  }, offerDuration);
  try {
    return await startAuthentication({ optionsJSON: options, useBrowserAutofill: true });
  } catch (error) {
    if (isOutdated) return await waitForPick(signal);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Confirms an action with a passkey instead of the password. */
export async function confirmWithPasskey(): Promise<void> {
  const credential = await askForPasskey(contract.startPasskeyConfirmation);
  await call(contract.confirmWithPasskey, { body: { credential } });
  rememberPasskeyUse();
}

async function askForPasskey(
  start: typeof contract.startPasskeyLogin | typeof contract.startPasskeyConfirmation,
): Promise<contract.Assertion> {
  const { options } = await call(start);
  return (await startAuthentication({ optionsJSON: options }).catch(refuseCeremony)) as unknown as contract.Assertion;
}

async function finishLogin(credential: contract.Assertion, rememberUser: boolean, arrive: () => void): Promise<void> {
  const { user } = await call(contract.loginWithPasskey, { body: { credential, rememberUser } });
  rememberPasskeyUse();
  becomeMember(user, arrive);
}

/**
 * Throws an ApiError with a German message. Browsers report a cancelled dialog and a missing
 * passkey in the same way.
 */
function refuseCeremony(error: unknown): never {
  const { name } = error as Error;
  const text =
    name === "InvalidStateError"
      ? "Auf diesem Gerät hast du schon einen Passkey."
      : "Das hat nicht geklappt: Es wurde kein Passkey benutzt.";
  throw new ApiError(422, text);
}
