import { writeFileSync } from "node:fs";

/** Answers the jobs that `createWorkers` sends to this process. */
export function answerJobs(answer: (job: never) => Promise<unknown>): void {
  // Makes the kernel kill this process instead of the server when memory runs out.
  try {
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // Ignores the error on other systems: the file exists only on Linux.
  }
  process.on("message", (job) => void answer(job as never).then((reply) => process.send!(reply)));
  // Ends this process when the server has ended. `process.exit()` would wait for a running decoder.
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
  // Ignores signals: Ctrl-C sends SIGINT to this process as well, although the server still has to
  // finish its requests.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
}
