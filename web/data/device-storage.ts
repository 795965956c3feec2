import type * as z from "zod/mini";

/**
 * Returns the text stored in this browser under `key`; `null` if it is missing or the browser
 * refuses storage.
 */
export function readDeviceItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Stores a text in this browser, or deletes it with `null`. Does nothing if the storage is full or
 * refused.
 */
export function writeDeviceItem(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Failures are ignored, because the app also runs without stored items.
  }
}

/**
 * Returns the JSON value stored under `key`; `null` if it is missing or does not match the schema.
 */
export function readDeviceJson<Schema extends z.ZodMiniType>(key: string, schema: Schema): z.output<Schema> | null {
  try {
    return schema.parse(JSON.parse(readDeviceItem(key) ?? "null"));
  } catch {
    return null;
  }
}
