import type { Clock } from "#server/platform/clock.ts";
import { minutes } from "#server/time.ts";

const spanMs = minutes(10);
/**
 * Milliseconds within which equal outage messages of different game servers count as the same
 * outage.
 */
const sameOutageMs = 5000;
const maxPerSpan = 5;

/**
 * Creates a function that returns the given message about an outage. It returns "" if it has just
 * returned the same message for another game server, or too often recently.
 */
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
