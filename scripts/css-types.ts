import { globSync, mkdirSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { preprocessCSS, resolveConfig } from "vite";

import { home } from "./prepare.js";

/** `rootDirs` and `paths` of tsconfig.web.json lead from an import of a style sheet here. */
const folder = join(home, ".build/css-types");

// Writes the class names of every CSS module as its type, so that a class that is in no sheet does not compile. Runs in
// its own process, because Vite sets NODE_ENV. With `--watch`, follows changes until the process ends.
const config = await resolveConfig({ configFile: false, logLevel: "error" }, "build");
rmSync(folder, { recursive: true, force: true });
await Promise.all(globSync("web/**/*.module.css", { cwd: home }).map(writeType));
if (process.argv.includes("--watch")) {
  watch(join(home, "web"), { recursive: true }, (_, path) => {
    if (path?.endsWith(".module.css")) void writeType(join("web", path)).catch(() => undefined);
  });
}

async function writeType(path: string): Promise<void> {
  const sheet = join(home, path);
  const { modules = {} } = await preprocessCSS(readFileSync(sheet, "utf8"), sheet, config);
  const names = Object.keys(modules)
    .toSorted()
    .map((name) => `  readonly ${JSON.stringify(name)}: string;`);
  const target = join(folder, `${path}.d.ts`);
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, ["declare const styles: {", ...names, "};", "export default styles;", ""].join("\n"));
}
