import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";

import { home } from "./prepare.js";

const running = new Set<ChildProcess>();

// On Ctrl-C or a closed terminal, ends all started programs, so that no browser or database keeps
// running.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    for (const child of running) child.kill("SIGINT");
    setTimeout(() => process.exit(130), 2000).unref();
  });
}

/**
 * Exit code and output of a finished program. The output is empty if the terminal received it
 * directly.
 */
export interface ProgramResult {
  code: number;
  output: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  cwd?: string;
  /** `true` to pass the output on to the terminal instead of collecting it. */
  inheritOutput?: boolean;
  user?: { uid: number; gid: number };
}

/** Starts a program, which is killed when this process receives a signal to end. */
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

/** Runs a program until it exits. Resolves to code 127 if the program cannot be started. */
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

/** Returns the path of an executable in `node_modules/.bin`, e.g. `oxlint`. */
export function packageBinary(name: string): string {
  return join(home, "node_modules/.bin", name);
}
