import type * as z from "zod/mini";

/** What this browser has kept under `key`; null for nothing, and where it refuses storage. */
export function readDeviceItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text until the browser's data are deleted, with null nothing. Silently does nothing where storage is full or refused. */
export function writeDeviceItem(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // Everything kept here is a convenience.
  }
}

/** The same for JSON; null also for what has not the right shape. */
export function readDeviceJson<Schema extends z.ZodMiniType>(key: string, schema: Schema): z.output<Schema> | null {
  try {
    return schema.parse(JSON.parse(readDeviceItem(key) ?? "null"));
  } catch {
    return null;
  }
}
