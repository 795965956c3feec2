import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";

export interface Baseline extends Disposable {
  readonly port: number;
  readonly pid: number;
}

/** Starts the baseline server `name` with a new database in `folder`. */
export async function startBaseline(folder: string, name = "baseline-server.ts"): Promise<Baseline> {
  const child = spawn(process.execPath, [join(import.meta.dirname, name), join(folder, `${name}.db`)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  return { port: Number(port.value), pid: child.pid!, [Symbol.dispose]: () => void child.kill() };
}
