import { writeFileSync } from "node:fs";

export function answerJobs(answer: (job: never) => Promise<unknown>): void {
  // The kernel kills this process instead of the server when memory runs out.
  try {
    writeFileSync("/proc/self/oom_score_adj", "1000");
  } catch {
    // The file exists only on Linux.
  }
  process.on("message", (job) => void answer(job as never).then((reply) => process.send!(reply)));
  // `process.exit()` would wait for a running decoder.
  process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
  // Ctrl-C sends SIGINT to this process as well, although the server still has to finish its requests.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
}
