import type { Clock } from "#server/platform/clock.ts";
import { minutes } from "#server/time.ts";

const spanMs = minutes(10);
/** Milliseconds within which all servers of a driver report the same outage. */
const sameOutageMs = 5000;
const maxPerSpan = 5;

/** Creates the function that passes a message about a driver once instead of once per server; returns "" for repetitions. */
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
