import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/**
 * Search path for programs that are given without a folder. Debian installs games in the last two
 * folders.
 */
const folders = [
  "/usr/local/sbin",
  "/usr/local/bin",
  "/usr/sbin",
  "/usr/bin",
  "/sbin",
  "/bin",
  "/usr/local/games",
  "/usr/games",
];

/**
 * Returns the whole environment of a started program. Passes on nothing of the app's environment,
 * which contains secrets.
 */
export function minimalEnvironment(): Record<string, string> {
  return { PATH: folders.join(":"), HOME: homedir(), LANG: "C.UTF-8" };
}

/** Returns the path of a program, found as a shell does; `null` if no executable file is found. */
export function findProgram(name: string, cwd: string): string | null {
  const places = name.includes("/") ? [resolve(cwd, name)] : folders.map((folder) => join(folder, name));
  return places.find(isExecutable) ?? null;
}

/** Returns `true` for the absolute path of an executable file. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return isAbsolute(file) && statSync(file).isFile();
  } catch {
    return false;
  }
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
