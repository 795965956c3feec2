import { spawn } from "node:child_process";

/** A program that ends at the latest with this process. */
export interface ChildProgram {
  /** Resolves with the match as soon as what it has written matches; rejects if it ends before. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
  /** Ends it and waits until it has ended. */
  stop(): Promise<void>;
}

/** How long a program may take to end by itself, in milliseconds. */
const killGraceMs = 5000;

/** Starts a program. The kernel ends it when this process is gone, even if that was killed. */
export function startChild(program: string, args: readonly string[], env: Record<string, string> = {}): ChildProgram {
  const child = spawn("setpriv", ["--pdeathsig", "TERM", program, ...args], { env: { ...process.env, ...env } });
  let output = "";
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      for (const listen of listeners) listen();
    });
  }
  const ended = new Promise<void>((resolve) => {
    child.on("error", (error) => resolve(void (output += error.message)));
    child.on("close", () => resolve());
  });
  return {
    waitForOutput(pattern) {
      return new Promise((resolve, reject) => {
        function look(): void {
          const match = pattern.exec(output);
          if (match) resolve(match);
        }
        listeners.add(look);
        look();
        void ended.then(() => reject(new Error(`${program} ended: ${output}`)));
      });
    },
    async stop() {
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), killGraceMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
