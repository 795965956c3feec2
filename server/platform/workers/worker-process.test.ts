import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { hours } from "#server/time.ts";
import { createTemporaryFolder } from "#test/cleanup.ts";
import { createWorkers, WorkerError } from "./worker-process.ts";

const file = join(createTemporaryFolder(), "worker.mjs");
writeFileSync(
  file,
  `process.on("message", (job) => {
    if (job === "pid") process.send(process.pid);
    if (job === "exit") process.exit(3);
    if (job === "compute") for (;;);
  });`,
);
const create = (maxBytes = 2 ** 40) => createWorkers<"pid" | "exit" | "compute", number>(file, maxBytes);

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test("a worker process answers several jobs of the same caller", async () => {
  const pids = await create()(async (ask) => [await ask("pid", hours(1)), await ask("pid", hours(1))]);
  expect(pids[0]).toBe(pids[1]);
});

test("a worker process that computes for too long is killed, although it never yields", async () => {
  let pid = 0;
  const reply = await create()(async (ask) => {
    pid = (await ask("pid", hours(1)))!;
    return ask("compute", 1);
  });
  expect(reply).toBeNull();
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test("a worker process that takes too much memory is killed, although it never yields", async () => {
  expect(await create(1)((ask) => ask("compute", hours(1)))).toBeNull();
});

test("a worker process is killed when its caller gives up, although it never yields", async () => {
  const caller = new AbortController();
  let pid = 0;
  const working = create()(async (ask) => {
    pid = (await ask("pid", hours(1)))!;
    const computing = ask("compute", hours(1));
    caller.abort(new Error("gone"));
    return computing;
  }, caller.signal);
  await expect(working).rejects.toThrow("gone");
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test("a job fails if its worker process ends", async () => {
  const work = create()((ask) => ask("exit", hours(1)));
  await expect(work).rejects.toThrow(new WorkerError("The worker process failed: ended with 3"));
});
