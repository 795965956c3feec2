import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createTemporaryFolder } from "#test/cleanup.ts";
import { startChild } from "./child-program.ts";

test("A program is ended with the process that started it, even if that is killed", async () => {
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

test("Waiting for the output of a program fails when it has ended, with the reason", async () => {
  const program = startChild("/bin/sh", ["-c", "echo no screen >&2; exit 1"]);
  await expect(program.waitForOutput(/ready/)).rejects.toThrow("/bin/sh ended: no screen");
});
