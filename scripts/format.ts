import { packageBinary, runToEnd } from "./child-processes.ts";

/** `npm run format`: formats every file and fixes the linter's fixable problems. */
export async function run(paths: readonly string[]): Promise<number> {
  const linted = await runToEnd(packageBinary("oxlint"), ["--fix", ...paths], { inheritOutput: true });
  const formatted = await runToEnd(packageBinary("oxfmt"), [...paths], { inheritOutput: true });
  return linted.code || formatted.code;
}
