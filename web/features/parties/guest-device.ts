import * as z from "zod/mini";

import { guestScreen, guestToken, type GuestScreen } from "#contract/guest-device.ts";
import { readDeviceJson, writeDeviceItem } from "#web/client/storage.ts";

/** Kept per party, until the token has ended. */
const storedGuest = z.object({
  token: guestToken,
  name: z.string(),
  screen: z.unknown(),
});

export interface StoredGuest {
  readonly token: string;
  readonly name: string;
  /** The last reply, for a start without a connection. */
  readonly screen: GuestScreen | null;
}

const keyOf = (party: number): string => `stammtisch.guest.${party}`;

export function readGuest(party: number): StoredGuest | null {
  const stored = readDeviceJson(keyOf(party), storedGuest);
  return stored && { ...stored, screen: guestScreen.safeParse(stored.screen).data ?? null };
}

const lastKey = "stammtisch.guest";

export function writeGuest(party: number, guest: StoredGuest | null): void {
  writeDeviceItem(keyOf(party), guest && JSON.stringify(guest));
  if (guest !== null) writeDeviceItem(lastKey, String(party));
}

/** Returns the party at which this device was last a guest, until its token has ended. */
export function findGuestParty(): number | null {
  const party = readDeviceJson(lastKey, z.int());
  return party !== null && readGuest(party) !== null ? party : null;
}

export function createGuestToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return [...bytes]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("")
    .toUpperCase();
}

/** Returns the page of a stranger who opens a party; `undefined` for visitors who must log in. */
export function guestPath(party: number, hash: string): string | undefined {
  if (!/^token=./.test(hash) && readGuest(party) === null) return undefined;
  return `/guest/${party}${hash === "" ? "" : `#${hash}`}`;
}
