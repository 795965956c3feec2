import { expect, test } from "vitest";

import { createThrottledPublish } from "./throttled-publish.ts";

test("an event is published at once, and equal events within the next second are published as one", async () => {
  const published: string[] = [];
  const pauses: (() => void)[] = [];
  const realtime = { publish: (event: string, channel: string) => void published.push(`${channel} ${event}`) };
  const sleep = () => new Promise<void>((resolve) => pauses.push(resolve));
  const publish = createThrottledPublish(realtime, { now: () => 0, monotonic: () => 0, sleep });
  publish("doors", "calendar");
  publish("doors", "calendar");
  publish("doors", "calendar");
  publish("list", "servers");
  expect(published).toEqual(["calendar doors", "servers list"]);
  pauses[0]!();
  await expect.poll(() => published).toEqual(["calendar doors", "servers list", "calendar doors"]);
});
