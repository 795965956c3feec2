import type { Server } from "node:http";

import { seconds } from "#server/time.ts";
import { probePaths } from "./probes.ts";

const idleMs = seconds(15);

/**
 * Returns memory to the system that the start, or a busy time, needed and nothing uses any more: 25 of 126 MiB after the start.
 * V8 keeps it by itself. It takes 50 ms, so it waits until nobody has asked for anything for a while. Without `--expose-gc`
 * nothing happens.
 */
export function releaseMemoryWhenIdle(server: Server): void {
  const timer = setTimeout(() => globalThis.gc?.({ type: "major", flavor: "last-resort" }), idleMs).unref();
  server.on("request", ({ url = "" }) => {
    if (!probePaths.has(url)) timer.refresh();
  });
}
