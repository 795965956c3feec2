import type { Server } from "node:http";

import type { Log } from "#server/platform/log.ts";
import { minutes } from "#server/time.ts";

/** File descriptors reserved for the database, uploads and other files. */
const reservedFiles = 64;
const warnEveryMs = minutes(1);

/**
 * Refuses connections before the process reaches its limit of open files, and logs a warning at
 * most once a minute. At that limit, the system would drop connections silently, and the database
 * could not open files.
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

/** Returns the process's limit of open files; `Infinity` if the system sets none. */
function readOpenFilesLimit(): number {
  // Keeps the report from resolving host names, which takes time. Node's types lack this property.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isNaN(soft) ? Number.POSITIVE_INFINITY : soft;
}
