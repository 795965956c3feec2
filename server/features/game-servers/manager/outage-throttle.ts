import type { Clock } from "#server/platform/clock.ts";
import { minutes } from "#server/time.ts";

const spanMs = minutes(10);
/** One outage affects every server of a driver at about the same time. */
const sameOutageMs = 5000;
const maxPerSpan = 5;

/** Lets a message about a driver through once, not once for every server; "" for the others. */
export function createOutageThrottle(clock: Clock): (message: string) => string {
  const sentAt = new Map<string, number[]>();
  return (message) => {
    const now = clock.now();
    const times = (sentAt.get(message) ?? []).filter((at) => now - at < spanMs);
    if (times.length >= maxPerSpan || now - (times.at(-1) ?? -Infinity) < sameOutageMs) return "";
    sentAt.set(message, [...times, now]);
    return message;
  };
}
