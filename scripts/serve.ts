import { runCommandLine as runCommand } from "#server/cli.ts";

/** The server alone, without building the pages: `npm run dev` serves those itself. */
export async function run(): Promise<number> {
  return runCommand(["serve"]);
}
