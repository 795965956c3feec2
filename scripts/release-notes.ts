import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { home } from "./prepare.js";

/**
 * `npm run release-notes TAG FILE`: checks that TAG matches the version in package.json, and writes
 * that version's section of CHANGELOG.md to FILE.
 */
export async function run([tag = "", file = ""]: readonly string[]): Promise<number> {
  const read = (path: string) => readFileSync(join(home, path), "utf8");
  const { version } = JSON.parse(read("package.json")) as { version: string };
  const notes = findReleaseNotes(tag, version, read("CHANGELOG.md"));
  if (file === "" || "problem" in notes) {
    console.error("problem" in notes ? notes.problem : "Usage: npm run release-notes TAG FILE");
    return 1;
  }
  writeFileSync(file, notes.text);
  return 0;
}

/** Returns the changelog's section of a version, or the reason why this tag cannot be released. */
export function findReleaseNotes(
  tag: string,
  version: string,
  changelog: string,
): { readonly text: string } | { readonly problem: string } {
  if (tag !== `v${version}`) return { problem: `The tag ${tag} does not match version ${version} of package.json.` };
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((one) => one.startsWith(`[${version}] - `) && /^\S+ - \d{4}-\d\d-\d\d\n/.test(one));
  const text = section?.split("\n").slice(1).join("\n").trim() ?? "";
  if (text === "") return { problem: `CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD".` };
  return { text: `${text}\n` };
}
