import type { Clock } from "#server/platform/clock.ts";

const burstMs = 5000;
const mostPerSpan = 2;
const spanMs = 10 * 60_000;

/** Lets a text through unless it has just been said, or twice in ten minutes: a server that crashes in a loop is one piece of news. */
export function createTidings(clock: Clock): (text: string) => string {
  const said = new Map<string, number[]>();
  return (text) => {
    const now = clock.now();
    const times = (said.get(text) ?? []).filter((at) => now - at < spanMs);
    if (text === "" || times.length >= mostPerSpan || now - (times.at(-1) ?? -Infinity) < burstMs) return "";
    said.set(text, [...times, now]);
    return text;
  };
}
