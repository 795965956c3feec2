import { readDeviceItem, writeDeviceItem } from "#web/data/device-storage.ts";

const storageKey = "stammtisch.passkey";

/** Returns `true` if the browser supports passkeys; they need https or localhost. */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential === "function";
}

/** Returns `true` if this browser has used a passkey before; the login page then offers it automatically. */
export function hasUsedPasskey(): boolean {
  return readDeviceItem(storageKey) !== null;
}

export function rememberPasskeyUse(): void {
  writeDeviceItem(storageKey, "1");
}
