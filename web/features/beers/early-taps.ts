import * as z from "zod/mini";

import { readDeviceJson, writeDeviceItem } from "#web/client/storage.ts";

/** Prefix of the storage keys under which web/public/start.js stores taps before the app has started. */
const prefix = "stammtisch.tap.";

const earlyTap = z.object({
  memberId: z.int(),
  /** Epoch ms. */
  postedAt: z.number(),
  /** Empty for a beer with alcohol. */
  kind: z.string(),
});

interface EarlyTap extends z.output<typeof earlyTap> {
  readonly key: string;
}

/** Oldest first. */
export function readEarlyTaps(memberId: number): EarlyTap[] {
  return listKeys()
    .flatMap((key) => {
      const tap = readDeviceJson(prefix + key, earlyTap);
      return tap?.memberId === memberId ? [{ key, ...tap }] : [];
    })
    .toSorted((one, other) => one.postedAt - other.postedAt);
}

export function removeEarlyTap(key: string): void {
  writeDeviceItem(prefix + key, null);
}

function listKeys(): string[] {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length));
  } catch {
    return [];
  }
}
