import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";

export interface Baseline extends Disposable {
  readonly port: number;
  readonly pid: number;
  /** Resolves once the process has ended. */
  stop(): Promise<void>;
}

interface BaselineOptions {
  /** Name of the database file; by default that of the server. */
  readonly database?: string;
  /** By default, a free port. */
  readonly port?: number;
}

/** Starts the baseline server `name` with a new database in `folder`. */
export async function startBaseline(
  folder: string,
  name = "baseline-server.ts",
  { database = `${name}.db`, port = 0 }: BaselineOptions = {},
): Promise<Baseline> {
  const words = [join(import.meta.dirname, name), join(folder, database), String(port)];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  const printed = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  return {
    port: Number(printed.value),
    pid: child.pid!,
    async stop() {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
    [Symbol.dispose]: () => void child.kill(),
  };
}
