import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";

import { home } from "./prepare.js";

const running = new Set<ChildProcess>();

// What was started ends with us: Ctrl-C or a closed terminal must not leave browsers and databases behind.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    for (const child of running) child.kill("SIGINT");
    setTimeout(() => process.exit(130), 2000).unref();
  });
}

/** A finished program: its exit code and, unless it was shown at once, what it wrote. */
export interface ProgramResult {
  code: number;
  output: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  cwd?: string;
  /** Shows what the program writes at once instead of keeping it. */
  inheritOutput?: boolean;
  /** The user and group to run as. */
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

/** Runs a program to its end. One that cannot be started counts as failed. */
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

/** The program that one of our packages brings, e.g. `oxlint`. */
export function packageBinary(name: string): string {
  return join(home, "node_modules/.bin", name);
}
