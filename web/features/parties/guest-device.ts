import * as z from "zod/mini";

import { guestScreen, guestToken } from "#contract/guest-device.ts";
import { readDeviceJson, writeDeviceItem } from "#web/client/storage.ts";

/** Kept per party, until the token has ended. */
const storedGuest = z.object({
  token: guestToken,
  name: z.string(),
  /** The last reply, for a start without a connection. */
  screen: z.catch(z.nullable(guestScreen), null),
});
export type StoredGuest = z.output<typeof storedGuest>;

const keyOf = (party: number): string => `stammtisch.guest.${party}`;

export function readGuest(party: number): StoredGuest | null {
  return readDeviceJson(keyOf(party), storedGuest);
}

export function writeGuest(party: number, guest: StoredGuest | null): void {
  writeDeviceItem(keyOf(party), guest && JSON.stringify(guest));
}

export function createGuestToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("").toUpperCase();
}

/** Returns the page of a stranger who opens a party; `undefined` for visitors who must log in. */
export function guestPath(party: number, hash: string): string | undefined {
  if (!/^token=./.test(hash) && readGuest(party) === null) return undefined;
  return `/guest/${party}${hash === "" ? "" : `#${hash}`}`;
}
