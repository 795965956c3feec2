import { createRequire } from "node:module";

import type pg from "pg";

const require = createRequire(import.meta.url);

/** The driver needs 8 MB of memory, so it is loaded only if it is used. */
export function loadPg(): typeof pg {
  return require("pg") as typeof pg;
}
