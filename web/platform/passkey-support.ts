const storageKey = "stammtisch.passkey";

/** Whether this browser knows passkeys at all; only on https and localhost. */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential === "function";
}

/** Whether a passkey was used in this browser before, so that the login page offers it by itself. */
export function hasUsedPasskey(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null;
  } catch {
    return false;
  }
}

export function rememberPasskeyUse(): void {
  try {
    localStorage.setItem(storageKey, "1");
  } catch {
    // Without storage the login page waits for a tap.
  }
}
