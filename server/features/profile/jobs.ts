import { rmSync } from "node:fs";
import { join } from "node:path";

import type { Context } from "#server/platform/context.ts";

/** Uploads lose their name as soon as they are opened; a kill right in between leaves one, empty. */
export function deleteLeftoverUploads({ config }: Context): void {
  rmSync(join(config.dataDir, "uploads"), { recursive: true, force: true });
}
