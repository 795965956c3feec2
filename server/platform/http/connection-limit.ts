import type { Server } from "node:http";

import { systemClock } from "#server/platform/clock.ts";
import { createRateLimiter } from "#server/platform/limits/limits.ts";
import type { Log } from "#server/platform/log.ts";

/** File descriptors for the database, uploads and other files. */
const reservedFiles = 64;
const warningRate = { limit: 1, seconds: 60, isFixed: true } as const;

/**
 * At the limit of open files, the system would drop connections silently, and the database could not open files. Warns
 * at most once a minute.
 */
export function limitConnections(server: Server, log: Log): void {
  const limit = readOpenFilesLimit();
  if (!Number.isFinite(limit)) return;
  server.maxConnections = Math.max(1, limit - reservedFiles);
  const warnings = createRateLimiter(warningRate, { clock: systemClock });
  server.on("drop", () => {
    if (!warnings.admits(["drop"])) return;
    log.warn("connections-dropped", { open: server.maxConnections, openFilesLimit: limit });
  });
}

/** `Infinity` if the system sets no limit. */
function readOpenFilesLimit(): number {
  // Keeps the report from resolving host names, which takes time. Node's types lack this property.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft: number | string } } };
  const soft = Number(userLimits?.open_files?.soft);
  return Number.isNaN(soft) ? Number.POSITIVE_INFINITY : soft;
}
