import { spawn } from "node:child_process";

import { minimalEnvironment } from "./programs.ts";

export interface ProgramResult {
  /** Null: it could not be run, or a signal ended it. */
  readonly code: number | null;
  /** The beginning of what it printed. */
  readonly output: string;
}

interface RunOptions {
  readonly timeoutMs: number;
  /** Leaves a program running that takes longer. */
  readonly mayGoOn?: boolean;
  readonly isRead?: boolean;
  /** The open file to which it prints; null: its output is dropped, unless it is read. */
  readonly log?: number | null;
}

const maxOutputLength = 65_536;

/**
 * Runs a program without a shell and without the app's environment; null where it has not ended in time. Then it is killed with
 * what it started, unless `mayGoOn`. Processes that it leaves behind keep running: nobody waits for their output.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  { timeoutMs, mayGoOn = false, isRead = false, log = null }: RunOptions,
): Promise<ProgramResult | null> {
  const printed = isRead ? "pipe" : (log ?? "ignore");
  const child = spawn(program, args, {
    env: minimalEnvironment(),
    detached: true,
    stdio: ["ignore", printed, printed],
  });
  let output = "";
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(0, maxOutputLength));
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  child.unref();
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve) => {
      child.on("error", () => resolve({ code: null, output }));
      child.on(isRead ? "close" : "exit", (code) => resolve({ code, output }));
      timer = setTimeout(() => {
        if (!mayGoOn) killGroup(child.pid);
        resolve(null);
      }, timeoutMs);
    });
  } finally {
    clearTimeout(timer);
  }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // It ended just now.
  }
}
