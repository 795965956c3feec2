import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";

/** The bare program while it runs. */
export interface Baseline extends Disposable {
  readonly port: number;
}

/** Starts baseline-server.ts on a new file in `folder`; it prints its port. */
export async function startBaseline(folder: string): Promise<Baseline> {
  const program = join(import.meta.dirname, "baseline-server.ts");
  const child = spawn(process.execPath, [program, join(folder, "baseline.db")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  return { port: Number(port.value), [Symbol.dispose]: () => void child.kill() };
}
