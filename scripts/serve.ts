import { runCommandLine as runCommand } from "#server/cli.ts";
import { resetHint } from "./dev-data.ts";

/** Exit code of a server whose settings or data have to be corrected first. */
const unusable = 78;

/** Runs the server for `npm run dev`. Does not build the pages, because Vite serves them. */
export async function run(): Promise<number> {
  const code = await runCommand(["serve"]);
  if (code === unusable) process.stderr.write(`${resetHint}\n`);
  return code;
}
