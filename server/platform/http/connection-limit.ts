import type { Server } from "node:http";

import type { Log } from "#server/platform/log.ts";
import { minutes } from "#server/time.ts";

/** Open files that are reserved for the database, uploads and everything else that the process opens. */
const reservedFiles = 64;
const warnEveryMs = minutes(1);

/**
 * Refuses connections before the process reaches the system's limit of open files, and logs it once a minute. Beyond that
 * limit the system would close them silently, and the database could not open files either.
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
  // Without this the report resolves host names, which takes time. The type does not have the property.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isNaN(soft) ? Number.POSITIVE_INFINITY : soft;
}
