import { runCommandLine as runCommand } from "#server/cli.ts";

/** Runs the server for `npm run dev`. Does not build the pages, because Vite serves them. */
export async function run(): Promise<number> {
  return runCommand(["serve"]);
}
