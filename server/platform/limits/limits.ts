import type { FastifyReply } from "fastify";
import ipaddr from "ipaddr.js";

import type { FieldText } from "#contract/errors.ts";
import type { Clock } from "#server/platform/clock.ts";
import { Refusal, refuse } from "#server/platform/http/refusal.ts";
import * as time from "#server/time.ts";

/** At most `limit` calls within `seconds`. RATE_LIMIT_FACTOR multiplies `limit`, unless it `isFixed`. */
export interface Limit {
  readonly limit: number;
  readonly seconds: number;
  readonly isFixed?: true;
}

/** The time span in which the calls of one key are counted, by the monotonic clock. */
export interface Window {
  readonly calls: number;
  readonly endsAt: number;
}

/** The state of a limit after a call; `left` is negative if the limit is exceeded. */
export interface Count {
  readonly max: number;
  readonly left: number;
  /** Seconds until the window ends, at least 1. */
  readonly seconds: number;
}

/** Returns the state of a window with `max` calls. A window with 0 calls is a pause. */
export function toCount({ calls, endsAt }: Window, max: number, now: number): Count {
  return { max, left: max - calls, seconds: Math.max(1, Math.ceil((endsAt - now) / 1000)) };
}

/** Refuses with 429 if a limit is exceeded, with a text at a form field if the form has one for this limit. */
export function checkCount({ max, left, seconds }: Count, at?: readonly [field: string, text: FieldText]): void {
  if (left >= 0) return;
  if (!at) throw refuse("tooManyRequests", { seconds });
  const [field, text] = at;
  throw new Refusal("tooManyRequests", null, { [field]: [{ text, max, seconds }] }, seconds);
}

/** Returns the limit multiplied by RATE_LIMIT_FACTOR, at least 1. */
export function scaleLimit({ limit, isFixed }: Omit<Limit, "seconds">, factor: number): number {
  return isFixed ? limit : Math.max(1, Math.floor(limit * factor));
}

/**
 * Returns the limit for the key at `index`, where 0 is the caller and higher keys are wider groups of callers. Each group
 * has four times the previous limit.
 */
export function scaleForGroup(limit: number, index: number): number {
  return limit * 4 ** index;
}

/** Returns the share of one instance in a limit of all instances, rounded up. */
export function divideByInstances(limit: number, instances: number): number {
  return Math.ceil(limit / instances);
}

/** Maximum number of windows in memory; each further window replaces the oldest. */
const maxWindows = 100_000;

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/**
 * Creates a rate limit, which counts calls in memory, so that a flood causes no queries. The first key of a call is the
 * caller; further keys are wider groups with higher limits. `isGeneral` marks a limit in addition to the endpoint's,
 * whose headers are set only when it is exceeded. With `countInstances`, the limit is divided by the number of running
 * instances, because each counts only its own calls.
 */
export function createRateLimiter(
  rate: Limit,
  {
    factor = 1,
    clock,
    isGeneral = false,
    countInstances = () => 1,
  }: { factor?: number; clock: Clock; isGeneral?: boolean; countInstances?: () => number },
) {
  const limit = scaleLimit(rate, factor);
  /** Current windows by key, the oldest first. A window begins with the first call of its key. */
  const windows = new Map<string, { calls: number; readonly endsAt: number }>();

  function findWindow(key: string, now: number) {
    const known = windows.get(key);
    if (known && known.endsAt > now) return known;
    windows.delete(key);
    for (const [oldest, { endsAt }] of windows) {
      if (endsAt > now && windows.size < maxWindows) break;
      windows.delete(oldest);
    }
    const window = { calls: 0, endsAt: now + time.seconds(rate.seconds) };
    windows.set(key, window);
    return window;
  }

  /**
   * Counts a call under each key until a limit is exceeded. Returns the state of the exceeded limit, otherwise of the
   * caller's limit.
   */
  function count(keys: readonly string[]): Count {
    const now = clock.monotonic();
    const ownLimit = divideByInstances(limit, countInstances());
    const counts: Count[] = [];
    for (const [index, key] of keys.entries()) {
      const window = findWindow(key, now);
      window.calls += 1;
      const counted = toCount(window, scaleForGroup(ownLimit, index), now);
      if (counted.left < 0) return counted;
      counts.push(counted);
    }
    return counts[0]!;
  }

  return {
    count,
    /** Counts a call, and refuses with 429 if a limit is exceeded. */
    check(keys: readonly string[], reply: FastifyReply): void {
      const counted = count(keys);
      const { max, left, seconds } = counted;
      if (left < 0 || !isGeneral)
        reply.headers({
          "x-ratelimit-limit": max,
          "x-ratelimit-remaining": Math.max(0, left),
          "x-ratelimit-reset": seconds,
        });
      checkCount(counted);
    },
    /** Counts a call. Returns `false` if a limit is exceeded. */
    admits: (keys: readonly string[]) => count(keys).left >= 0,
    /** Removes a call from the counts of these keys, because their limit does not apply to it. */
    uncount(keys: readonly string[]): void {
      for (const key of keys) {
        const window = windows.get(key);
        if (window) window.calls -= 1;
      }
    },
    /** Returns `true` if the key has a window that has not ended. */
    isCounting: (key: string) => (windows.get(key)?.endsAt ?? 0) > clock.monotonic(),
  };
}

/**
 * Returns the keys under which an address is counted: an IPv4 address, or the /64, /56 and /48 of an IPv6 address. A household
 * has a /64; providers may give one customer a /56 or /48.
 */
export function addressKeys(ip: string): string[] {
  if (!ipaddr.isValid(ip)) return [ip];
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return [address.toString()];
  const [first, second, third, fourth] = address.parts.map((part) => part.toString(16));
  const site = `${first}:${second}:${third}`;
  // Keeps only the upper byte of the fourth group, e.g. `a100` of `a1b2`.
  const upper = (address.parts[3]! & 0xff00).toString(16);
  return [`${site}:${fourth}::/64`, `${site}:${upper}::/56`, `${site}::/48`];
}

/** Returns the /24 of an IPv4 address or the /48 of an IPv6 address from its keys. */
export function networkOfKeys(keys: readonly string[]): string {
  return keys[2] ?? keys[0]!.replace(/\d+$/, "0/24");
}
