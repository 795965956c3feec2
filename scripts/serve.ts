import { runCommandLine as runCommand } from "#server/cli.ts";

/** Runs the server without building the pages, because `npm run dev` serves them separately. */
export async function run(): Promise<number> {
  return runCommand(["serve"]);
}
