import type { Clock } from "#server/platform/clock.ts";
import type { ServerStatus } from "../rules.ts";

const spanMs = 10 * 60_000;
const mostCrashes = 2;
const burstMs = 5000;
const mostOutages = 5;

/** Whether a server falls over so often that it is no news any more; called with everything that changes. */
export function createCrashLoopDetector(clock: Clock): (after: ServerStatus) => boolean {
  let crashes: number[] = [];
  return ({ phase }) => {
    const now = clock.now();
    crashes = crashes.filter((at) => now - at < spanMs);
    if (phase === "crashed" || phase === "restarting") crashes.push(now);
    return crashes.length > mostCrashes;
  };
}

/** Lets what is said of the engine through once, not once for every server that it runs. */
export function createOutageThrottle(clock: Clock): (text: string) => string {
  const said = new Map<string, number[]>();
  return (text) => {
    const now = clock.now();
    const times = (said.get(text) ?? []).filter((at) => now - at < spanMs);
    if (times.length >= mostOutages || now - (times.at(-1) ?? -Infinity) < burstMs) return "";
    said.set(text, [...times, now]);
    return text;
  };
}
