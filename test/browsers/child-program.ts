import { spawn } from "node:child_process";

/** Child process that does not outlive this process. */
export interface ChildProgram {
  /** Resolves with the match once the output matches; rejects if the program ends first. */
  waitForOutput(pattern: RegExp): Promise<RegExpExecArray>;
  /** Ends the program and waits for its exit. */
  stop(): Promise<void>;
}

/** Milliseconds after which a program that ignores SIGTERM is killed. */
const killGraceMs = 5000;

/** Starts a program that the kernel terminates when this process ends, even if this process is killed. */
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
