import { readdirSync, readFileSync } from "node:fs";

/** Returns the ids of the processes that decode pictures for the server process `pid`. */
export function listPictureWorkers(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  const children = threads.flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" "));
  return children.map(Number).filter((child) => child > 0 && isPictureWorker(child));
}

function isPictureWorker(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("picture-worker.ts");
  } catch {
    return false;
  }
}
