import { spawnSync } from "node:child_process";
import { chownSync, statSync } from "node:fs";
import { join } from "node:path";

import { beforeEach, expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";

const [uid, gid] = [4711, 4712];
const isRoot = process.getuid?.() === 0;
let dataDir: string;

beforeEach(() => {
  dataDir = createTemporaryFolder();
});

/** Writes a file as the owner of `dataDir` in another process. Returns that process's user and groups. */
function runAsOwner(): { user: number[]; groups: number[] } {
  const source = `import { writeFileSync } from "node:fs";
    import { switchToDataOwner } from ${JSON.stringify(join(import.meta.dirname, "data-owner.ts"))};
    switchToDataOwner(${JSON.stringify(dataDir)});
    writeFileSync(${JSON.stringify(join(dataDir, "left"))}, "");
    console.log(JSON.stringify({ user: [process.geteuid(), process.getegid()], groups: process.getgroups() }));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", source], { encoding: "utf8" });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

test("a command run by root switches to the owner of DATA_DIR, who then owns the written files", ({ skip }) => {
  skip(!isRoot, "only root can switch users");
  chownSync(dataDir, uid, gid);
  expect(runAsOwner()).toEqual({ user: [uid, gid], groups: [gid] });
  const { uid: theirs, gid: group } = statSync(join(dataDir, "left"));
  expect([theirs, group]).toEqual([uid, gid]);
});

test("a command run by the owner of DATA_DIR does not switch to another user", () => {
  expect(runAsOwner().user).toEqual([process.geteuid?.(), process.getegid?.()]);
});
