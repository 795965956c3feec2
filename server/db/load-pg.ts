import { createRequire } from "node:module";

import type pg from "pg";

const require = createRequire(import.meta.url);

/**
 * Loads PostgreSQL's driver only if PostgreSQL is used, because the driver needs 8 MB of memory.
 */
export function loadPg(): typeof pg {
  return require("pg") as typeof pg;
}
