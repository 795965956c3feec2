// Builds must be reproducible, so that anyone can compare the served pages with their sources.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { report } from "./report.ts";

const root = join(import.meta.dirname, "../..");

test("builds in different folders, time zones and languages have identical bytes", () => {
  const folder = copySources();
  const vite = [join(folder, "node_modules/vite/bin/vite.js"), "build", "--logLevel", "warn"];
  const env = { ...process.env, NODE_ENV: "production", TZ: "Pacific/Kiritimati", LC_ALL: "tr_TR.UTF-8" };
  execFileSync(process.execPath, vite, { cwd: folder, env });
  const [here, there] = [hashFiles(join(root, "dist")), hashFiles(join(folder, "dist"))];
  const different = Object.keys({ ...here, ...there }).filter((file) => here[file] !== there[file]);
  report("T102", { files: Object.keys(there).length, different: different.length }, "0 different");
  expect(different).toEqual([]);
});

function copySources(): string {
  const folder = createTemporaryFolder();
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" });
  for (const file of files.trim().split("\n")) cpSync(join(root, file), join(folder, file));
  // Copies node_modules instead of linking it, because the bundler orders modules by their real
  // paths.
  execFileSync("cp", ["-r", "--reflink=auto", join(root, "node_modules"), folder]);
  return folder;
}

/** Returns the SHA-256 hash of each file, keyed by path; without the files that a build keeps of the previous one. */
function hashFiles(folder: string): Record<string, string> {
  const list = join(folder, ".previous-assets.json");
  const kept: object = existsSync(list) ? JSON.parse(readFileSync(list, "utf8")) : {};
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files
    .filter(({ name }) => !(name in kept))
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => path !== list)
    .toSorted();
  return Object.fromEntries(
    paths.map((path) => [path.slice(folder.length), createHash("sha256").update(readFileSync(path)).digest("hex")]),
  );
}
