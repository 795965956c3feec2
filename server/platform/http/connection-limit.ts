import type { Server } from "node:http";

import type { Log } from "#server/platform/log.ts";

/** Open files that connections leave to the database, to uploads and to whatever else the process opens. */
const reservedFiles = 64;
const warnEveryMs = 60_000;

/**
 * Turns connections away before the process has as many files open as the system lets it, and says so in one line a
 * minute. Otherwise the system would cut them without a word, and the database would find nothing left either.
 */
export function limitConnections(server: Server, log: Log): void {
  const limit = readOpenFilesLimit();
  if (!Number.isFinite(limit)) return;
  server.maxConnections = Math.max(1, limit - reservedFiles);
  let warnedAt = Number.NEGATIVE_INFINITY;
  server.on("drop", () => {
    const now = performance.now();
    if (now - warnedAt < warnEveryMs) return;
    warnedAt = now;
    log.warn("connections-dropped", { open: server.maxConnections, openFilesLimit: limit });
  });
}

/** Infinity where there is none. */
function readOpenFilesLimit(): number {
  // Looking up the names of the network's addresses would take its time; the type does not know the switch.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isNaN(soft) ? Number.POSITIVE_INFINITY : soft;
}
