import { createRequire } from "node:module";

import type pg from "pg";

const require = createRequire(import.meta.url);

/** Loads the driver when PostgreSQL is used: it takes 8 MB. */
export function loadPg(): typeof pg {
  return require("pg") as typeof pg;
}
