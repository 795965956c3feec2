import { readDeviceItem, writeDeviceItem } from "#web/client/storage.ts";

const storageKey = "stammtisch.passkey";

/** Returns `true` if the browser supports passkeys, which require https or localhost. */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential === "function";
}

/**
 * Returns `true` if a passkey has been used in this browser; the login page then offers passkeys
 * automatically.
 */
export function hasUsedPasskey(): boolean {
  return readDeviceItem(storageKey) !== null;
}

export function rememberPasskeyUse(): void {
  writeDeviceItem(storageKey, "1");
}
