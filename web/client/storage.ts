import * as z from "zod/mini";

/** Returns `null` if the text is missing or the browser refuses storage. */
export function readDeviceItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Deletes with `null`. Does nothing if the storage is full or refused. */
export function writeDeviceItem(key: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    // The app also runs without stored items.
  }
}

/** Returns `null` if the value is missing or does not match the schema. */
export function readDeviceJson<Schema extends z.ZodMiniType>(key: string, schema: Schema): z.output<Schema> | null {
  try {
    return schema.parse(JSON.parse(readDeviceItem(key) ?? "null"));
  } catch {
    return null;
  }
}

/** Items with this prefix are deleted at logout. */
const prefix = "stammtisch.mine.";

export interface MemberStorage {
  /** Returns `null` if the item is missing or does not match the schema. */
  get<Schema extends z.ZodMiniType>(name: string, schema: Schema): z.output<Schema> | null;
  set(name: string, value: unknown): void;
}

export const storedMember = z.object({ id: z.int() });

/** Keeps nothing for a guest, or after another member's login or a logout, in any tab. */
export function createMemberStorage(member: { readonly id: number } | null): MemberStorage {
  if (member) writeDeviceItem(`${prefix}user`, JSON.stringify(member));
  const isOwn = (): boolean => member !== null && readMemberItem("user", storedMember)?.id === member.id;
  return {
    get: (name, schema) => (isOwn() ? readMemberItem(name, schema) : null),
    set(name, value) {
      if (isOwn()) writeDeviceItem(prefix + name, JSON.stringify(value));
    },
  };
}

export function readMemberItem<Schema extends z.ZodMiniType>(name: string, schema: Schema): z.output<Schema> | null {
  return readDeviceJson(prefix + name, schema);
}

/** Deletes the items of all members. */
export function clearMemberStorage(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // The browser refuses storage, so nothing is stored.
  }
}

/** Ignores changes by this tab. */
export function onMemberItemChange(name: string, listener: () => void, signal: AbortSignal): void {
  addEventListener(
    "storage",
    (event) => {
      if (event.key === null || event.key === prefix + name) listener();
    },
    { signal },
  );
}
