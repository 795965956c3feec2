import * as z from "zod/mini";

import { readDeviceJson, writeDeviceItem } from "#web/data/device-storage.ts";

/** Prefix of personal items, which are stored between visits and deleted at logout. */
const prefix = "stammtisch.mine.";

/** Stores a JSON value; does nothing if the browser refuses storage. */
export function setUserItem(name: string, value: unknown): void {
  writeDeviceItem(prefix + name, JSON.stringify(value));
}

/** Returns the value stored under this name; `null` if it is missing or its shape is wrong. */
export function getUserItem<Schema extends z.ZodMiniType>(name: string, schema: Schema): z.output<Schema> | null {
  return readDeviceJson(prefix + name, schema);
}

const storedMember = z.object({ id: z.int() });

/** Returns the id of the member who is logged in on this device, `null` if there is none. */
export function getStoredMemberId(): number | null {
  return getUserItem("user", storedMember)?.id ?? null;
}

/** Deletes all personal items from this device. */
export function clearUserStorage(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Storage is refused, so nothing is stored.
  }
}

/** Calls `listener` when another tab changes or deletes the item of this name. */
export function onUserItemChange(name: string, listener: () => void): void {
  addEventListener("storage", (event) => {
    if (event.key === null || event.key === prefix + name) listener();
  });
}
