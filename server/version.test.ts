import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { beforeEach, expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { readVersion } from "./version.ts";

let home: string;
let commit: string;

const git = (...words: string[]) =>
  execFileSync("git", ["-c", "user.name=Anna", "-c", "user.email=anna@example.org", ...words], {
    cwd: home,
    encoding: "utf8",
  }).trim();
const release = (version: string) => writeFileSync(join(home, "package.json"), JSON.stringify({ version }));

beforeEach(() => {
  home = join(createTemporaryFolder(), "clone");
  mkdirSync(home);
  release("1.1.0-dev");
  git("init", "--quiet", "--initial-branch=main");
  git("add", ".");
  git("commit", "--quiet", "--message=Begin");
  commit = git("rev-parse", "HEAD").slice(0, 8);
});

test("the version of an unreleased clone names the commit of its branch, also after git has packed the branch", () => {
  expect(readVersion(home)).toBe(`1.1.0-dev+${commit}`);
  git("pack-refs", "--all");
  expect(readVersion(home)).toBe(`1.1.0-dev+${commit}`);
});

test("the version of an unreleased clone names a commit that is checked out without a branch, and that of a worktree", () => {
  git("checkout", "--quiet", "--detach");
  expect(readVersion(home)).toBe(`1.1.0-dev+${commit}`);
  git("worktree", "add", "--quiet", "-b", "other", "../other", "HEAD");
  expect(readVersion(join(home, "../other"))).toBe(`1.1.0-dev+${commit}`);
});

test("the version names no commit if it is released or not in a readable clone", () => {
  release("1.1.0");
  expect(readVersion(home)).toBe("1.1.0");
  release("1.1.0-dev");
  for (const head of ["ref: refs/heads/none", "nonsense"]) {
    writeFileSync(join(home, ".git/HEAD"), `${head}\n`);
    expect(readVersion(home)).toBe("1.1.0-dev");
  }
  rmSync(join(home, ".git"), { recursive: true });
  expect(readVersion(home)).toBe("1.1.0-dev");
});
