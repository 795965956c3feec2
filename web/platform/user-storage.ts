import * as z from "zod/mini";

import { readDeviceJson, writeDeviceItem } from "./device-storage.ts";

/** Personal things kept on this device between visits; all of them are wiped at logout. */
const prefix = "stammtisch.mine.";

/** Remembers a JSON value; silently does nothing where the browser refuses storage. */
export function setUserItem(name: string, value: unknown): void {
  writeDeviceItem(prefix + name, JSON.stringify(value));
}

/** What was kept under this name, or null when there is nothing of the right shape. */
export function getUserItem<Schema extends z.ZodMiniType>(name: string, schema: Schema): z.output<Schema> | null {
  return readDeviceJson(prefix + name, schema);
}

const storedMember = z.object({ id: z.int() });

/** Returns the id of the member who is logged in on this device, `null` if there is none. */
export function getStoredMemberId(): number | null {
  return getUserItem("user", storedMember)?.id ?? null;
}

/** Wipes everything personal from this device. */
export function clearUserStorage(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Without a store there is nothing to wipe.
  }
}

/** Calls `listener` when another tab of this browser changed or wiped what is kept under this name. */
export function onUserItemChange(name: string, listener: () => void): void {
  addEventListener("storage", (event) => {
    if (event.key === null || event.key === prefix + name) listener();
  });
}
