import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";

/** The folder that holds package.json. */
export const home = join(import.meta.dirname, "..");

const running = new Set<ChildProcess>();

// What was started ends with us: Ctrl-C, a closed terminal and a supervisor's end must not leave browsers and databases behind.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(signal, () => {
    for (const child of running) child.kill("SIGTERM");
    process.exitCode = 130;
  });
}

/** A finished program: its exit code, and what it wrote where that was kept. */
export interface Finished {
  code: number;
  output: string;
}

export interface StepOptions {
  env?: Record<string, string>;
  /** Show what the program writes at once instead of keeping it. */
  isShown?: boolean;
}

/** Runs a program of this project or machine and waits for its end. */
export async function runStep(program: string, args: readonly string[], options: StepOptions = {}): Promise<Finished> {
  const child = spawn(program, args, {
    cwd: home,
    env: { ...process.env, ...options.env },
    stdio: options.isShown ? "inherit" : ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  let output = "";
  const keep = (chunk: Buffer) => (output += chunk.toString());
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  return new Promise((resolve) => {
    child.on("error", (error) => (output += error.message));
    child.on("close", (code) => {
      running.delete(child);
      resolve({ code: code ?? 1, output });
    });
  });
}

/** Runs the program that a package of ours brings, e.g. `oxlint`. */
export async function runTool(name: string, args: readonly string[], options: StepOptions = {}): Promise<Finished> {
  return runStep(join(home, "node_modules/.bin", name), args, options);
}
