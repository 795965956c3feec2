import type { FastifyReply } from "fastify";
import ipaddr from "ipaddr.js";

import type { FieldText } from "#contract/errors.ts";
import type { Clock } from "#server/platform/clock.ts";
import { Refusal, refuse } from "#server/platform/http/refusal.ts";
import * as time from "#server/time.ts";

/** RATE_LIMIT_FACTOR multiplies `limit`, unless it `isFixed`. */
export interface Limit {
  readonly limit: number;
  readonly seconds: number;
  readonly isFixed?: true;
}

/** `endsAt` is a time of the monotonic clock. */
export interface Window {
  readonly calls: number;
  readonly endsAt: number;
}

/** `left` is negative if the limit is exceeded. */
export interface Count {
  readonly max: number;
  readonly left: number;
  /** Until the window ends, at least 1. */
  readonly seconds: number;
}

/** A window with 0 calls is a pause. */
export function toCount({ calls, endsAt }: Window, max: number, now: number): Count {
  return { max, left: max - calls, seconds: Math.max(1, Math.ceil((endsAt - now) / 1000)) };
}

/** Refuses with 429 if the limit is exceeded; `at` is the form field that shows it. */
export function checkCount({ max, left, seconds }: Count, at?: readonly [field: string, text: FieldText]): void {
  if (left >= 0) return;
  if (!at) throw refuse("tooManyRequests", { seconds });
  const [field, text] = at;
  throw new Refusal("tooManyRequests", null, { [field]: [{ text, max, seconds }] }, seconds);
}

/** RATE_LIMIT_FACTOR multiplies the limit, to at least 1. */
export function scaleLimit({ limit, isFixed }: Omit<Limit, "seconds">, factor: number): number {
  return isFixed ? limit : Math.max(1, Math.floor(limit * factor));
}

/** Key 0 is the caller; higher keys are wider groups of callers, each with four times the previous limit. */
export function scaleForGroup(limit: number, index: number): number {
  return limit * 4 ** index;
}

export function divideByInstances(limit: number, instances: number): number {
  return Math.ceil(limit / instances);
}

/** Each further window replaces the oldest. */
const maxWindows = 100_000;

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/**
 * Counts in memory, so that a flood causes no queries. The first key of a call is the caller; further keys are wider
 * groups with higher limits. `isGeneral` marks a limit in addition to the endpoint's, whose headers are set only when
 * it is exceeded. With `countInstances`, the limit is divided, because each instance counts only its own calls.
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
  /** The oldest first. */
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

  /** Counts under each key until a limit is exceeded. Returns the count of that limit, otherwise of the caller's. */
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
    /** Refuses with 429 if a limit is exceeded. */
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
    /** `false` if a limit is exceeded. */
    admits: (keys: readonly string[]) => count(keys).left >= 0,
    /** Removes a call, because the limit does not apply to it. */
    uncount(keys: readonly string[]): void {
      for (const key of keys) {
        const window = windows.get(key);
        if (window) window.calls -= 1;
      }
    },
    isCounting: (key: string) => (windows.get(key)?.endsAt ?? 0) > clock.monotonic(),
  };
}

/**
 * An IPv4 address, or the /64, /56 and /48 of an IPv6 address. A household has a /64; providers may give one customer a
 * /56 or /48.
 */
export function addressKeys(ip: string): string[] {
  if (!ipaddr.isValid(ip)) return [ip];
  const address = ipaddr.process(ip);
  if (!(address instanceof ipaddr.IPv6)) return [address.toString()];
  const [first, second, third, fourth] = address.parts.map((part) => part.toString(16));
  const site = `${first}:${second}:${third}`;
  // Upper byte of the fourth group, e.g. `a100` of `a1b2`.
  const upper = (address.parts[3]! & 0xff00).toString(16);
  return [`${site}:${fourth}::/64`, `${site}:${upper}::/56`, `${site}::/48`];
}

/** The /24 of an IPv4 address or the /48 of an IPv6 address. */
export function networkOfKeys(keys: readonly string[]): string {
  return keys[2] ?? keys[0]!.replace(/\d+$/, "0/24");
}
