import { spawn } from "node:child_process";

import { minimalEnvironment } from "./programs.ts";

/** How a program ended. */
export interface ProgramResult {
  /** Null: it could not be run, or a signal ended it. */
  readonly code: number | null;
  /** The beginning of what it printed. */
  readonly output: string;
}

const maxOutputLength = 65_536;

/**
 * Runs a program without a shell and without our environment; null where it has not ended in time. Then it is killed with what
 * it started, unless `mayGoOn`. What it leaves behind on purpose keeps running: nobody waits for its output.
 */
export async function runProgram(
  program: string,
  words: readonly string[],
  { withinMs, mayGoOn = false, isRead = false }: { withinMs: number; mayGoOn?: boolean; isRead?: boolean },
): Promise<ProgramResult | null> {
  const stdio = isRead ? (["ignore", "pipe", "pipe"] as const) : "ignore";
  const child = spawn(program, words, { env: minimalEnvironment(), detached: true, stdio: stdio as "ignore" });
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
      }, withinMs);
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
