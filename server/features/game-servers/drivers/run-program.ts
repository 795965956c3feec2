import { spawn } from "node:child_process";

import { minimalEnvironment } from "./programs.ts";

export interface ProgramResult {
  /** Exit code; `null` if the program could not be run, or if a signal ended it. */
  readonly code: number | null;
  /** Beginning of the program's output; empty without the option `isRead`. */
  readonly output: string;
}

interface RunOptions {
  readonly timeoutMs: number;
  /** `true` to let the program continue after the timeout. */
  readonly mayGoOn?: boolean;
  /** `true` to return the program's output. */
  readonly isRead?: boolean;
  /**
   * File descriptor for the program's output if `isRead` is not `true`; `null` to drop the output.
   */
  readonly log?: number | null;
}

const maxOutputLength = 65_536;

/**
 * Runs a program without a shell and without the app's environment. Resolves to `null` at the
 * timeout, after killing the program and its descendants unless `mayGoOn`. Does not wait for the
 * output of background processes.
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
    // The process group has ended in the meantime.
  }
}
