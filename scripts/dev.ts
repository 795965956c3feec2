import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { runToEnd, start } from "./child-processes.ts";
import { home } from "./prepare.js";

/**
 * URL of Vite, which serves the pages with hot reload and forwards API calls to the app's server
 * (vite.config.ts).
 */
const page = "http://localhost:5173";

/**
 * `npm run dev`: serves the pages with hot reload and restarts the server when its code changes.
 * Creates demo users and prints their passwords.
 */
export async function run(): Promise<number> {
  const env = { DATA_DIR: join(home, ".build/dev"), APP_URL: page, PORT: "3000", LOG_LEVEL: "warn" };
  const list = join(env.DATA_DIR, "demo-users.txt");
  if (!existsSync(list)) {
    const { code, output } = await runToEnd(join(home, "bin/stammtisch"), ["demo"], { env });
    if (code !== 0) throw new Error(output);
    writeFileSync(list, output);
  }
  process.stdout.write(readFileSync(list, "utf8"));

  const serve = ["--watch", "--watch-preserve-output", "scripts/run.js", "scripts/serve.ts"];
  const programs = [
    start(process.execPath, serve, { env, inheritOutput: true }),
    start(process.execPath, ["node_modules/vite/bin/vite.js", "--strictPort", "--port", "5173"], {
      inheritOutput: true,
    }),
  ];
  const code = await Promise.race(
    programs.map(
      async (program) => new Promise<number>((resolve) => void program.on("exit", (exit) => resolve(exit ?? 0))),
    ),
  );
  for (const program of programs) program.kill("SIGTERM");
  return code;
}
