import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { DataDirectoryLockedError, lockDataDirectory } from "#server/platform/storage/data-directory-lock.ts";
import { runToEnd } from "./child-processes.ts";
import { home } from "./prepare.js";

/** Folder of the demo data of `npm run dev`. */
export const devDataDir = join(home, ".build/dev");

/** Tells how to replace demo data that the code cannot use. */
export const resetHint =
  "These are demo data, perhaps of another branch. Replace them by new ones: npm run dev -- --reset";

/** Returns `true` if a server uses the demo data. */
export function isDevRunning(dataDir = devDataDir): boolean {
  if (!existsSync(join(dataDir, "serve.lock"))) return false;
  try {
    lockDataDirectory({ databaseUrl: null, dataDir })();
    return false;
  } catch (error) {
    if (error instanceof DataDirectoryLockedError) return true;
    throw error;
  }
}

/**
 * Creates demo data if there are none, and otherwise migrates them. `isReset`: deletes the existing
 * ones first. Returns the list of the demo users and their passwords. Throws if the data cannot be
 * used.
 */
export async function prepareDemoData(dataDir: string, isReset: boolean): Promise<string> {
  const stammtisch = async (command: string): Promise<string> => {
    const env = { DATA_DIR: dataDir, LOG_LEVEL: "warn" };
    const { code, output } = await runToEnd(join(home, "bin/stammtisch"), [command], { env });
    if (code !== 0) throw new Error(`${output}${resetHint}`);
    return output;
  };
  const list = join(dataDir, "demo-users.txt");
  // Without the list, written last, the data are incomplete.
  if (isReset || !existsSync(list)) {
    rmSync(dataDir, { recursive: true, force: true });
    writeFileSync(list, await stammtisch("demo"));
  } else {
    await stammtisch("migrate");
  }
  return readFileSync(list, "utf8");
}
