import type { Clock } from "../clock.ts";
import { coalesce } from "../jobs/coalesce.ts";
import type { Realtime } from "./realtime.ts";

/** Publishes an event without data, which makes many pages refetch. */
export type ThrottledPublish = (event: string, channel: string) => void;

/** Minimum milliseconds between two equal events. */
const interval = 1000;

/**
 * Creates a function that publishes an event at once, but equal events at most once a second. An
 * event that comes too early is sent when the second is over.
 */
export function createThrottledPublish(realtime: Pick<Realtime, "publish">, clock: Clock): ThrottledPublish {
  const publishers = new Map<string, () => Promise<void>>();
  return (event, channel) => {
    const key = `${channel} ${event}`;
    const publish =
      publishers.get(key) ??
      coalesce(async () => {
        realtime.publish(event, channel, {});
        await clock.sleep(interval);
      });
    publishers.set(key, publish);
    void publish();
  };
}
