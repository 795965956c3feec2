import type * as z from "zod/mini";

/** Returns the text stored in this browser; `null` if it is missing or the browser refuses storage. */
export function readDeviceItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text in this browser, or deletes it with `null`. Does nothing if the storage is full or refused. */
export function writeDeviceItem(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // The app also runs without stored items.
  }
}

/** Returns the JSON value stored under `key`; `null` if it is missing or does not match the schema. */
export function readDeviceJson<Schema extends z.ZodMiniType>(key: string, schema: Schema): z.output<Schema> | null {
  try {
    return schema.parse(JSON.parse(readDeviceItem(key) ?? "null"));
  } catch {
    return null;
  }
}

/** Prefix of the keys of personal items, which are deleted at logout. */
const prefix = "stammtisch.mine.";

/** The member's personal items in this browser. */
export interface MemberStorage {
  /** `null` if the item is missing or does not match the schema. */
  get<Schema extends z.ZodMiniType>(name: string, schema: Schema): z.output<Schema> | null;
  set(name: string, value: unknown): void;
}

/** A guest's storage keeps nothing, and neither does one whose `disposed` is aborted. */
export function createMemberStorage(isMember: boolean, disposed: AbortSignal): MemberStorage {
  return {
    get: (name, schema) => (isMember ? readDeviceJson(prefix + name, schema) : null),
    set(name, value) {
      if (isMember && !disposed.aborted) writeDeviceItem(prefix + name, JSON.stringify(value));
    },
  };
}

export function readMemberItem<Schema extends z.ZodMiniType>(name: string, schema: Schema): z.output<Schema> | null {
  return readDeviceJson(prefix + name, schema);
}

/** Deletes all personal items from this browser. */
export function clearMemberStorage(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // The browser refuses storage and has therefore stored nothing.
  }
}

/** Calls `listener` when another tab changes or deletes the personal item of this name, until `signal` is aborted. */
export function onMemberItemChange(name: string, listener: () => void, signal: AbortSignal): void {
  addEventListener(
    "storage",
    (event) => {
      if (event.key === null || event.key === prefix + name) listener();
    },
    { signal },
  );
}
