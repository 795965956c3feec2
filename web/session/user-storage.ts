import * as z from "zod/mini";

import { readDeviceJson, writeDeviceItem } from "#web/data/device-storage.ts";

/**
 * Prefix of the storage keys of personal items, which are kept between visits and deleted at
 * logout.
 */
const prefix = "stammtisch.mine.";

/** Stores a personal JSON value; does nothing if the browser refuses storage. */
export function setUserItem(name: string, value: unknown): void {
  writeDeviceItem(prefix + name, JSON.stringify(value));
}

/**
 * Returns the personal value stored under this name; `null` if it is missing or does not match the
 * schema.
 */
export function getUserItem<Schema extends z.ZodMiniType>(name: string, schema: Schema): z.output<Schema> | null {
  return readDeviceJson(prefix + name, schema);
}

const storedMember = z.object({ id: z.int() });

/** Returns the id of the member who is logged in within this browser; `null` for a guest. */
export function getStoredMemberId(): number | null {
  return getUserItem("user", storedMember)?.id ?? null;
}

/** Deletes all personal items from this browser. */
export function clearUserStorage(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // The browser refuses storage and has therefore stored nothing.
  }
}

/** Calls `listener` when another tab changes or deletes the personal item of this name. */
export function onUserItemChange(name: string, listener: () => void): void {
  addEventListener("storage", (event) => {
    if (event.key === null || event.key === prefix + name) listener();
  });
}
