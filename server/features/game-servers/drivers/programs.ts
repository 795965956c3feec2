import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/** Where programs are looked for that are named without a folder; Debian puts games into the last two. */
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

/** All that a program we start finds in its environment: ours holds secrets. */
export function minimalEnvironment(): Record<string, string> {
  return { PATH: folders.join(":"), HOME: homedir(), LANG: "C.UTF-8" };
}

/** The file of a program as a shell would find it; null where there is none to run. */
export function findProgram(name: string, cwd: string): string | null {
  const places = name.includes("/") ? [resolve(cwd, name)] : folders.map((folder) => join(folder, name));
  return places.find(isExecutable) ?? null;
}

/** Whether this is the whole path of a file that may be run. */
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
