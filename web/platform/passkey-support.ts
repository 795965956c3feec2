import { readDeviceItem, writeDeviceItem } from "./device-storage.ts";

const storageKey = "stammtisch.passkey";

/** Whether this browser knows passkeys at all; only on https and localhost. */
export function canUsePasskeys(): boolean {
  return typeof PublicKeyCredential === "function";
}

/** Whether a passkey was used in this browser before, so that the login page offers it by itself. */
export function hasUsedPasskey(): boolean {
  return readDeviceItem(storageKey) !== null;
}

export function rememberPasskeyUse(): void {
  writeDeviceItem(storageKey, "1");
}
