import { globSync, rmSync } from "node:fs";
import { join } from "node:path";

import { home } from "./prepare.js";

/** Files that no program reads, in the folder of each package. */
const unread = [
  "**/*.map",
  "**/*.{ts,mts,cts}",
  "**/*.{md,markdown}",
  "{test,tests,__tests__,doc,docs,example,examples,benchmark,benchmarks,bench,coverage,.github}",
];
const isLicence = (name: string): boolean => /licen[sc]e|notice|copying/i.test(name);

/** Halves the packages in the image. */
export async function run(): Promise<number> {
  const folders = ["node_modules/*", "node_modules/@*/*"].flatMap((pattern) => globSync(pattern, { cwd: home }));
  for (const folder of folders.filter((name) => !/^node_modules\/(@[^/]+|\..+)$/.test(name))) {
    const cwd = join(home, folder);
    const names = unread.flatMap((pattern) => globSync(pattern, { cwd })).filter((name) => !isLicence(name));
    for (const name of names) rmSync(join(cwd, name), { recursive: true, force: true });
  }
  return 0;
}
