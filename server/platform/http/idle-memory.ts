import type { Server } from "node:http";

import { seconds } from "#server/time.ts";
import { probePaths } from "./probes.ts";

const idleMs = seconds(15);

/**
 * Collects garbage after 15 s without requests, since V8 never returns unused memory to the system
 * automatically. After the start, this reduces the memory from 143 to 107 MiB. A collection takes
 * 50 ms. Does nothing without `--expose-gc`.
 */
export function releaseMemoryWhenIdle(server: Server): void {
  const timer = setTimeout(() => globalThis.gc?.({ type: "major", flavor: "last-resort" }), idleMs).unref();
  server.on("request", ({ url = "" }) => {
    if (!probePaths.has(url)) timer.refresh();
  });
}
