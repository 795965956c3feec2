import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";

/** The limit program while it runs. */
export interface Limit extends Disposable {
  readonly port: number;
}

/** Starts limit-http-sqlite.ts on a new file in `folder`; it tells the port that it found free. */
export async function startLimit(folder: string): Promise<Limit> {
  const program = join(import.meta.dirname, "limit-http-sqlite.ts");
  const child = spawn(process.execPath, [program, join(folder, "limit.db")], { stdio: ["ignore", "pipe", "inherit"] });
  const port = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  return { port: Number(port.value), [Symbol.dispose]: () => void child.kill() };
}
