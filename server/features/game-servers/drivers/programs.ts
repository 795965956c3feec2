import { spawn } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** Debian installs games in the last two folders. */
const folders = [
  "/usr/local/sbin",
  "/usr/local/bin",
  "/usr/sbin",
  "/usr/bin",
  "/sbin",
  "/bin",
  "/usr/local/games",
  "/usr/games",
];

/** Passes on nothing of the app's environment, which contains secrets. */
export function minimalEnvironment(): Record<string, string> {
  return { PATH: folders.join(":"), HOME: homedir(), LANG: "C.UTF-8" };
}

/** Finds a program as a shell does; `null` if no executable file is found. */
export function findProgram(name: string, cwd: string): string | null {
  const places = name.includes("/") ? [resolve(cwd, name)] : folders.map((folder) => join(folder, name));
  return places.find(isExecutable) ?? null;
}

/** Returns `false` for relative paths. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return isAbsolute(file) && statSync(file).isFile();
  } catch {
    return false;
  }
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

export interface ProgramResult {
  /** `null` if the program could not be run, or if a signal ended it. */
  readonly code: number | null;
  /** Beginning of the output; empty without `isRead`. */
  readonly output: string;
}

interface RunOptions {
  readonly timeoutMs: number;
  /** Lets the program continue after the timeout. */
  readonly mayGoOn?: boolean;
  readonly isRead?: boolean;
  /** File descriptor for the output if `isRead` is not `true`; `null` drops it. */
  readonly log?: number | null;
}

const maxOutputLength = 65_536;

/**
 * Uses no shell. Resolves to `null` at the timeout, after killing the program and its descendants unless `mayGoOn`.
 * Does not wait for the output of background processes.
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
    return await new Promise((settle) => {
      child.on("error", () => settle({ code: null, output }));
      child.on(isRead ? "close" : "exit", (code) => settle({ code, output }));
      timer = setTimeout(() => {
        if (!mayGoOn) killGroup(child.pid);
        settle(null);
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
