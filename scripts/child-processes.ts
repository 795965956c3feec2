import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";

import { home } from "./prepare.js";

const running = new Set<ChildProcess>();

// Ends all started programs with this process: Ctrl-C or a closed terminal must not leave browsers and databases behind.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    for (const child of running) child.kill("SIGINT");
    setTimeout(() => process.exit(130), 2000).unref();
  });
}

/** A finished program: its exit code and its output, which is empty if it was shown directly. */
export interface ProgramResult {
  code: number;
  output: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  cwd?: string;
  /** `true` to show the program's output directly instead of collecting it. */
  inheritOutput?: boolean;
  user?: { uid: number; gid: number };
}

/** Starts a program that ends at the latest with this process. */
export function start(program: string, args: readonly string[], options: RunOptions = {}): ChildProcess {
  const child = spawn(program, args, {
    cwd: options.cwd ?? home,
    env: { ...process.env, ...options.env },
    stdio: options.inheritOutput ? "inherit" : ["ignore", "pipe", "pipe"],
    ...options.user,
  });
  running.add(child);
  child.on("close", () => running.delete(child));
  return child;
}

/** Runs a program to its end. A program that cannot be started counts as failed. */
export async function runToEnd(
  program: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<ProgramResult> {
  const child = start(program, args, options);
  let output = "";
  const keep = (chunk: Buffer) => (output += chunk.toString());
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ code: 127, output: error.message }));
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

/** Returns the path of a program from `node_modules`, e.g. `oxlint`. */
export function packageBinary(name: string): string {
  return join(home, "node_modules/.bin", name);
}
