import { readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

/** Includes the commit between two releases, e.g. `1.1.0-dev+0a1b2c3d`. */
export const version = readVersion(join(import.meta.dirname, ".."));

export function readVersion(home: string): string {
  const { version: written } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as { version: string };
  const commit = written.endsWith("-dev") ? readCommit(join(home, ".git")) : null;
  return commit === null ? written : `${written}+${commit.slice(0, 8)}`;
}

/** Does without the program git, which refuses a clone of another user. Returns `null` outside of a clone. */
function readCommit(git: string): string | null {
  try {
    // In a worktree, `.git` is a file that names the folder.
    const folder = statSync(git).isFile() ? resolve(git, "..", readLine(git).replace("gitdir: ", "")) : git;
    const head = readLine(join(folder, "HEAD"));
    const ref = /^ref: (.+)$/.exec(head)?.[1];
    const commit = ref === undefined ? head : readRef(folder, ref);
    return /^[\da-f]{40,64}$/.test(commit) ? commit : null;
  } catch {
    return null;
  }
}

function readRef(folder: string, ref: string): string {
  const shared = resolve(folder, readIfExists(join(folder, "commondir"))?.trim() ?? ".");
  const packed = () =>
    readFileSync(join(shared, "packed-refs"), "utf8")
      .split("\n")
      .find((line) => line.endsWith(` ${ref}`))!;
  return (readIfExists(join(shared, ref)) ?? packed()).split(/\s/, 1)[0]!;
}

function readLine(file: string): string {
  return readFileSync(file, "utf8").trim();
}

function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
