import { once } from "node:events";
import { createServer } from "node:net";
import { parseArgs } from "node:util";

import { freePort } from "../test/free-port.ts";
import { start } from "./child-processes.ts";
import { devDataDir, isDevRunning, prepareDemoData } from "./dev-data.ts";

/**
 * `npm run dev`: serves the pages with hot reload on `PORT`, and restarts the server when its code
 * changes. Vite forwards API calls to the server, which listens on a free port (vite.config.ts).
 * Prints the demo users' passwords. `--reset` creates new demo data.
 */
export async function run(args: readonly string[]): Promise<number> {
  const port = process.env["PORT"] ?? "5173";
  try {
    const { values } = parseArgs({ args: [...args], options: { reset: { type: "boolean", default: false } } });
    await assertPortFree(Number(port));
    if (isDevRunning()) throw new Error("npm run dev is already running in this folder. Stop it first with Ctrl-C.");
    process.stdout.write(await prepareDemoData(devDataDir, values.reset));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return 1;
  }

  const serverPort = String(await freePort());
  const env = {
    DATA_DIR: devDataDir,
    APP_URL: `http://localhost:${port}`,
    HOST: "127.0.0.1",
    PORT: serverPort,
    LOG_LEVEL: "warn",
  };
  const serve = ["--watch", "--watch-preserve-output", "scripts/run.js", "scripts/serve.ts"];
  const vite = ["node_modules/vite/bin/vite.js", "--strictPort", "--port", port];
  const cssTypes = start(process.execPath, ["scripts/css-types.ts", "--watch"], { inheritOutput: true });
  const programs = [
    start(process.execPath, serve, { env, inheritOutput: true }),
    start(process.execPath, vite, { env: { SERVER_PORT: serverPort }, inheritOutput: true }),
  ];
  const code = await Promise.race(
    programs.map(
      async (program) => new Promise<number>((resolve) => void program.on("exit", (exit) => resolve(exit ?? 0))),
    ),
  );
  for (const program of [...programs, cssTypes]) program.kill("SIGTERM");
  return code;
}

/** Throws if no program can listen on the port. */
export async function assertPortFree(port: number): Promise<void> {
  const probe = createServer();
  try {
    await once(probe.listen(port), "listening");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === "EADDRINUSE" ? "another program listens there" : code;
    throw new Error(`PORT ${port} cannot be used: ${reason}. Choose another one, e.g.: PORT=4000 npm run dev`, {
      cause: error,
    });
  }
  probe.close();
}
