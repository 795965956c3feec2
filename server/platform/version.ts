import { readFileSync } from "node:fs";
import { join } from "node:path";

const packageFile = join(import.meta.dirname, "../../package.json");

/** The version of this program, e.g. `1.0.0`. */
export const version = (JSON.parse(readFileSync(packageFile, "utf8")) as { version: string }).version;
