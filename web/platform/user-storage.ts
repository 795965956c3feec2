import type * as z from "zod/mini";

/** Personal things kept on this device between visits; all of them are wiped at logout. */
const prefix = "stammtisch.mine.";

/** Remembers a JSON value; silently does nothing where the browser refuses storage. */
export function setUserItem(name: string, value: unknown): void {
  try {
    localStorage.setItem(prefix + name, JSON.stringify(value));
  } catch {
    // A full or forbidden store only costs the convenience.
  }
}

/** What was kept under this name, or null when there is nothing of the right shape. */
export function getUserItem<Schema extends z.ZodMiniType>(name: string, schema: Schema): z.output<Schema> | null {
  try {
    const text = localStorage.getItem(prefix + name);
    const parsed = schema.safeParse(text === null ? null : JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
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
