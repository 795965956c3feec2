import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";

export interface Baseline extends Disposable {
  readonly port: number;
  readonly pid: number;
}

/** Starts a baseline program on a new file in `folder`; the program prints its port. */
export async function startBaseline(folder: string, name = "baseline-server.ts"): Promise<Baseline> {
  const child = spawn(process.execPath, [join(import.meta.dirname, name), join(folder, `${name}.db`)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  return { port: Number(port.value), pid: child.pid!, [Symbol.dispose]: () => void child.kill() };
}
