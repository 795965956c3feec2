import { drinkBeer, tapHeaders, undoTap } from "#contract/beercounter.ts";
import { drinkAsGuest, guestTokenHeader, undoAsGuest } from "#contract/guest-device.ts";
import { drinkGuestBeer, undoGuestBeer } from "#contract/party-guests.ts";
import { drinkAtTablet, undoAtTablet } from "#contract/tablet.ts";
import { drinkFor, undoFor } from "#contract/tap-for.ts";

export const outboxEndpoints = {
  drinkBeer,
  undoTap,
  drinkGuestBeer,
  undoGuestBeer,
  drinkAsGuest,
  undoAsGuest,
  drinkFor,
  undoFor,
  drinkAtTablet,
  undoAtTablet,
};
export type OutboxEndpoint = keyof typeof outboxEndpoints;

type Texts = Readonly<Record<string, string>>;

/**
 * A call that must reach the server. Browsers have stored entries of this shape, so new fields must be optional. The
 * service worker reads them, too.
 */
export interface OutboxEntry {
  readonly id: string;
  readonly endpoint: OutboxEndpoint;
  readonly params?: Texts;
  readonly body?: Texts;
  /** Idempotency key of the beer that the call books or undoes. */
  readonly beer: string;
  /** 0 without a login, and `tabletOwner` for the entries of a tablet. */
  readonly memberId: number;
  /** Guest token of the device, which needs no login. */
  readonly token?: string;
  /** Name of the drinker, if it is not the member. */
  readonly drinker?: string;
  /** Epoch ms by the device's clock, which may be wrong: only differences are reliable. */
  readonly postedAt: number;
  /** A refused entry is kept until it is retried or discarded. */
  readonly isRefused: boolean;
  readonly failures: number;
}

/** Only the tablet's page sends its entries, with its token; the service worker does not. */
export const tabletOwner = -1;

export type NewEntry = Pick<OutboxEntry, "endpoint" | "params" | "body" | "token" | "drinker">;

const undoEndpoints: Partial<Record<OutboxEndpoint, OutboxEndpoint>> = {
  drinkBeer: "undoTap",
  drinkGuestBeer: "undoGuestBeer",
  drinkAsGuest: "undoAsGuest",
  drinkFor: "undoFor",
  drinkAtTablet: "undoAtTablet",
};

export function isUndo({ endpoint }: OutboxEntry): boolean {
  return undoEndpoints[endpoint] === undefined;
}

/** Returns the call that undoes the beer with this key, which `drink` books. */
export function undoOf({ endpoint, params, token, drinker }: NewEntry, beer: string): NewEntry {
  return {
    endpoint: undoEndpoints[endpoint] ?? endpoint,
    params: { ...params, key: beer },
    ...(token !== undefined && { token }),
    ...(drinker !== undefined && { drinker }),
  };
}

export function isPending(entry: OutboxEntry): boolean {
  return !isUndo(entry) && !entry.isRefused;
}

export function isWaiting(entry: OutboxEntry): boolean {
  return isPending(entry) && entry.failures > 0;
}

/**
 * Returns `true` for 0 (no answer), 401 (until the next login) and 404, which proxies answer while the server restarts.
 */
export function isRetryable(status: number): boolean {
  return [0, 401, 404, 408, 409, 429].includes(status) || status >= 500;
}

export function headersOf(entry: OutboxEntry): Record<string, string> {
  const age = { [tapHeaders.age]: String(Math.max(0, Date.now() - entry.postedAt)) };
  const headers = { ...age, ...callerHeaders(entry) };
  return isUndo(entry) ? headers : { ...headers, [tapHeaders.key]: entry.beer };
}

function callerHeaders({ token, memberId }: OutboxEntry): Record<string, string> {
  if (token !== undefined) return { [guestTokenHeader]: token };
  return memberId === tabletOwner ? {} : { [tapHeaders.member]: String(memberId) };
}

/** Returns milliseconds, with 25 % jitter. */
export function retryDelay(failures: number, random: number): number {
  return Math.min(500 * 2 ** (failures - 1), 30_000) * (0.75 + random / 2);
}

/** Works on plain http, which lacks `crypto.randomUUID`. */
export function createKey(): string {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
