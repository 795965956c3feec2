import { readdirSync, readFileSync } from "node:fs";

/** Returns the ids of the processes that execute `file`, e.g. `picture-worker.ts`, for the server process `pid`. */
export function listWorkers(pid: number, file: string): number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  const children = threads.flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" "));
  return children.map(Number).filter((child) => child > 0 && executes(child, file));
}

function executes(pid: number, file: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(file);
  } catch {
    return false;
  }
}
