import type { FastifyReply } from "fastify";

import type { Rate } from "#contract/endpoint.ts";
import type { Clock } from "#server/platform/clock.ts";
import { seconds } from "#server/time.ts";
import { refuse } from "./refusal.ts";

export type RateLimiter = ReturnType<typeof createRateLimiter>;

interface Window {
  calls: number;
  readonly endsAt: number;
}

/** How a limit stands after a call; `left` is negative if it is exceeded. */
interface CountedCall {
  readonly max: number;
  readonly left: number;
  /** Until the window ends. */
  readonly seconds: number;
}

/** With more callers than this the oldest windows are given up. */
const maxWindows = 100_000;

/** The limit for the nth key of a caller: each wider group may have four times as much as the one before. */
export function scaleForGroup(limit: number, index: number): number {
  return limit * 4 ** index;
}

/**
 * A limit that counts calls by keys, in memory: a flood causes no queries. The first key of a call is the caller; each further one
 * stands for a wider group of callers, with four times the limit of the one before. Each key has a window of its own, which begins
 * with its first call. `factor` multiplies the limit, for load tests. `isGeneral`: the limit stands beside that of the endpoint, and
 * its headers are set only when it is exceeded.
 */
export function createRateLimiter(
  rate: Omit<Rate, "per">,
  { factor, clock, isGeneral = false }: { factor: number; clock: Clock; isGeneral?: boolean },
) {
  const limit = Math.max(1, Math.floor(rate.limit * factor));
  /** The window that began first comes first. */
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

  /** Counts a call by its keys, up to the first whose limit is exceeded, and returns that one, else the caller's own. */
  function countCall(keys: readonly string[]): CountedCall {
    const now = clock.monotonic();
    const counted: CountedCall[] = [];
    for (const [index, key] of keys.entries()) {
      const window = findWindow(key, now);
      window.calls += 1;
      const max = scaleForGroup(limit, index);
      const call = { max, left: max - window.calls, seconds: Math.max(1, Math.ceil((window.endsAt - now) / 1000)) };
      if (call.left < 0) return call;
      counted.push(call);
    }
    return counted[0]!;
  }

  return {
    /** Counts a call and refuses it with 429 if there were too many. */
    count(keys: readonly string[], reply: FastifyReply): void {
      const { max, left, seconds: wait } = countCall(keys);
      if (left < 0 || !isGeneral)
        reply.headers({
          "x-ratelimit-limit": max,
          "x-ratelimit-remaining": Math.max(0, left),
          "x-ratelimit-reset": wait,
        });
      if (left < 0) throw refuse("M429", { seconds: wait });
    },
    /** Counts a call; false if there were too many. */
    admits: (keys: readonly string[]) => countCall(keys).left >= 0,
    /** The call was none of those that are limited. */
    uncount(keys: readonly string[]): void {
      for (const key of keys) {
        const window = windows.get(key);
        if (window) window.calls -= 1;
      }
    },
    /** Whether calls of this caller were counted within the last window. */
    isCounting: (key: string) => (windows.get(key)?.endsAt ?? 0) > clock.monotonic(),
  };
}

/**
 * The keys that an address is counted by: an IPv4 address; of an IPv6 address the /64 of a household, and the /56 and /48 that a
 * provider may give to one customer.
 */
export function addressKeys(ip: string): string[] {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped) return [mapped[1]!];
  if (!ip.includes(":")) return [ip];
  const [head = "", tail] = ip.toLowerCase().split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? [] : Array<string>(8 - front.length - back.length).fill("0");
  const [first, second, third, fourth] = [...front, ...zeros, ...back].map((part) => part.replace(/^0+(?=.)/, ""));
  const site = `${first}:${second}:${third}`;
  // The upper half of the fourth group: `a1b2` is in `a100`.
  const upper = (Number.parseInt(fourth!, 16) & 0xff00).toString(16);
  return [`${site}:${fourth}::/64`, `${site}:${upper}::/56`, `${site}::/48`];
}

/** The /24 of an IPv4 address, the /48 of an IPv6 one, from the keys of the address. */
export function networkOfKeys(keys: readonly string[]): string {
  return keys[2] ?? keys[0]!.replace(/\d+$/, "0/24");
}
