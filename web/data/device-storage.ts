import type * as z from "zod/mini";

/** Returns the text stored in this browser under `key`; `null` if there is none or storage is refused. */
export function readDeviceItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a text permanently, or deletes it with `null`. Does nothing if storage is full or refused. */
export function writeDeviceItem(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Stored items are only a convenience.
  }
}

/** Returns a stored JSON value; `null` also if its shape is wrong. */
export function readDeviceJson<Schema extends z.ZodMiniType>(key: string, schema: Schema): z.output<Schema> | null {
  try {
    return schema.parse(JSON.parse(readDeviceItem(key) ?? "null"));
  } catch {
    return null;
  }
}
