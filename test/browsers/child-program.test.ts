import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { startChild } from "./child-program.ts";

test("a child program ends with its parent process, even if the parent is killed", async () => {
  const folder = createTemporaryFolder();
  const endFile = join(folder, "ended");
  const program = 'trap "touch $0; exit" TERM; echo ready; while :; do sleep 0.05; done';
  const code = `
    import { startChild } from "${join(import.meta.dirname, "child-program.ts")}";
    await startChild("/bin/sh", ["-c", ${JSON.stringify(program)}, "${endFile}"]).waitForOutput(/ready/);
    process.kill(process.pid, "SIGKILL");`;
  const starter = execFile(process.execPath, ["--input-type=module", "--eval", code]);
  const signal = await new Promise((resolve) => starter.on("exit", (_, by) => resolve(by)));
  expect(signal).toBe("SIGKILL");
  await expect.poll(() => existsSync(endFile)).toBe(true);
});

test("waiting for the output of a child program rejects with the program's error output if the program has ended", async () => {
  const program = startChild("/bin/sh", ["-c", "echo no screen >&2; exit 1"]);
  await expect(program.waitForOutput(/ready/)).rejects.toThrow("/bin/sh ended: no screen");
});
