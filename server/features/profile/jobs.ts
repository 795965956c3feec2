import { rmSync } from "node:fs";
import { join } from "node:path";

import type { Platform } from "#server/platform/platform.ts";

/** Uploads lose their name as soon as they are opened; a kill right in between leaves one, empty. */
export function sweepUploads({ config }: Platform): void {
  rmSync(join(config.dataDir, "uploads"), { recursive: true, force: true });
}
