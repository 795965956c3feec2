import { createServer } from "node:http";

import { afterEach, expect, test, vi } from "vitest";

import { seconds } from "#server/time.ts";
import { releaseMemoryWhenIdle } from "./idle-memory.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("unused memory is released after 15 seconds without requests, not counting those of monitoring", () => {
  vi.useFakeTimers();
  const gc = vi.fn();
  vi.stubGlobal("gc", gc);
  const server = createServer();
  releaseMemoryWhenIdle(server);
  const request = (url: string) => server.emit("request", { url });

  vi.advanceTimersByTime(seconds(14));
  request("/api/beercounter/counters");
  vi.advanceTimersByTime(seconds(14));
  expect(gc).not.toHaveBeenCalled();
  request("/healthz");
  vi.advanceTimersByTime(seconds(1));
  expect(gc).toHaveBeenCalledOnce();

  request("/metrics");
  vi.advanceTimersByTime(seconds(60));
  expect(gc).toHaveBeenCalledOnce();
  request("/beercounter");
  vi.advanceTimersByTime(seconds(15));
  expect(gc).toHaveBeenCalledTimes(2);
});
