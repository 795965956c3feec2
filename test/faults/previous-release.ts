import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";

import { createTemporaryFolder } from "#test/cleanup.ts";

const root = join(import.meta.dirname, "../..");

function git(...words: string[]): string {
  const { status, stdout } = spawnSync("git", words, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : "";
}

/**
 * Returns the previous release: the newest tag `v…` before this commit or, without tags, the commit
 * that last set the version of a release. `PREVIOUS_RELEASE` names another commit. Returns `null` if the
 * history is missing, as in a shallow clone.
 */
export function findPreviousRelease(): string | null {
  const given = process.env["PREVIOUS_RELEASE"];
  if (given) return git("rev-parse", "--verify", `${given}^{commit}`) || null;
  const tag = git("describe", "--tags", "--abbrev=0", "--match", "v*", "HEAD^");
  if (tag) return tag;
  if (git("rev-parse", "--is-shallow-repository") === "true") return null;
  const changes = git("log", "--format=%H", "-G", '^  "version": ', "--", "package.json");
  return (
    changes.match(/\w+/g)?.find((commit) => /^ {2}"version": "[\d.]+"/m.test(git("show", `${commit}:package.json`))) ??
    null
  );
}

/** Unpacks a commit with its npm packages, without the pages, which would have to be built. */
export function unpackRelease(commit: string): string {
  const folder = join(createTemporaryFolder(), "release");
  mkdirSync(folder);
  const archive = execFileSync("git", ["archive", commit, "--", ":!web"], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  const [lock, ownLock] = [folder, root].map((home) => readFileSync(join(home, "package-lock.json"), "utf8"));
  if (lock === ownLock && existsSync(join(root, "node_modules")))
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  else
    execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], {
      cwd: folder,
      stdio: ["ignore", 2, 2],
    });
  return folder;
}
