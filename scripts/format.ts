import { packageBinary, runToEnd } from "./child-processes.ts";

/**
 * `npm run format`: applies the linter's automatic fixes and formats all files, or only the given
 * paths.
 */
export async function run(paths: readonly string[]): Promise<number> {
  const linted = await runToEnd(packageBinary("oxlint"), ["--fix", ...paths], { inheritOutput: true });
  const formatted = await runToEnd(packageBinary("oxfmt"), [...paths], { inheritOutput: true });
  return linted.code || formatted.code;
}
