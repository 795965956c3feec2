import type { FastifyReply } from "fastify";
import ipaddr from "ipaddr.js";

import type { Rate } from "#contract/endpoint.ts";
import type { Clock } from "#server/platform/clock.ts";
import { seconds } from "#server/time.ts";
import { refuse } from "./refusal.ts";

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/** The time span in which the calls of one key are counted. */
interface Window {
  calls: number;
  readonly endsAt: number;
}

/** The state of a rate limit after a call; `left` is negative if the limit is exceeded. */
interface CountedCall {
  readonly max: number;
  readonly left: number;
  /** Seconds until the window ends. */
  readonly seconds: number;
}

/** Maximum number of windows in memory; each further window replaces the oldest. */
const maxWindows = 100_000;

/**
 * Returns the limit for the key at `index`, where 0 is the caller and higher keys are wider groups
 * of callers. Each group has four times the previous limit.
 */
export function scaleForGroup(limit: number, index: number): number {
  return limit * 4 ** index;
}

/** Returns the share of one instance in a limit of all instances, rounded up. */
export function divideByInstances(limit: number, instances: number): number {
  return Math.ceil(limit / instances);
}

/**
 * Creates a rate limit, which counts calls in memory, so that a flood causes no queries. The first
 * key of a call is the caller; further keys are wider groups with higher limits. `factor`
 * multiplies the limit for load tests. `isGeneral` marks a limit in addition to the endpoint's,
 * whose headers are set only when it is exceeded. With `countInstances`, the limit is divided by the
 * number of running instances, because each counts only its own calls.
 */
export function createRateLimiter(
  rate: Omit<Rate, "per">,
  {
    factor,
    clock,
    isGeneral = false,
    countInstances = () => 1,
  }: { factor: number; clock: Clock; isGeneral?: boolean; countInstances?: () => number },
) {
  const limit = Math.max(1, Math.floor(rate.limit * factor));
  /** Current windows by key, the oldest first. A window begins with the first call of its key. */
  const windows = new Map<string, Window>();

  function findWindow(key: string, now: number): Window {
    const known = windows.get(key);
    if (known && known.endsAt > now) return known;
    windows.delete(key);
    for (const [oldest, { endsAt }] of windows) {
      if (endsAt > now && windows.size < maxWindows) break;
      windows.delete(oldest);
    }
    const window = { calls: 0, endsAt: now + seconds(rate.seconds) };
    windows.set(key, window);
    return window;
  }

  /**
   * Counts a call under each key until a limit is exceeded. Returns the state of the exceeded
   * limit, otherwise of the caller's limit.
   */
  function countCall(keys: readonly string[]): CountedCall {
    const now = clock.monotonic();
    const ownLimit = divideByInstances(limit, countInstances());
    const counted: CountedCall[] = [];
    for (const [index, key] of keys.entries()) {
      const window = findWindow(key, now);
      window.calls += 1;
      const max = scaleForGroup(ownLimit, index);
      const call = { max, left: max - window.calls, seconds: Math.max(1, Math.ceil((window.endsAt - now) / 1000)) };
      if (call.left < 0) return call;
      counted.push(call);
    }
    return counted[0]!;
  }

  return {
    /** Counts a call, and refuses with 429 if a limit is exceeded. */
    count(keys: readonly string[], reply: FastifyReply): void {
      const { max, left, seconds: wait } = countCall(keys);
      if (left < 0 || !isGeneral)
        reply.headers({
          "x-ratelimit-limit": max,
          "x-ratelimit-remaining": Math.max(0, left),
          "x-ratelimit-reset": wait,
        });
      if (left < 0) throw refuse("tooManyRequests", { seconds: wait });
    },
    /** Counts a call. Returns `false` if a limit is exceeded. */
    admits: (keys: readonly string[]) => countCall(keys).left >= 0,
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
