import { readFileSync } from "node:fs";
import { join } from "node:path";

const changelog = readFileSync(join(import.meta.dirname, "../CHANGELOG.md"), "utf8");

/** The version of the newest release, e.g. `1.0.0`. */
export const released = /^## \[(\d+\.\d+\.\d+)\]/m.exec(changelog)![1]!;
