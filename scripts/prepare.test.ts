import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { hours } from "#server/time.ts";
import { createTemporaryFolder } from "#test/cleanup.ts";

const home = createTemporaryFolder();
const list = join(home, "dist/.previous-assets.json");

/** Stands for Vite: writes the files that FILES names. */
const fakeVite = `
  const { mkdirSync, writeFileSync } = require("node:fs");
  const outDir = process.argv.at(-1);
  mkdirSync(outDir + "/assets", { recursive: true });
  for (const name of process.env.FILES.split(" ")) writeFileSync(outDir + "/assets/" + name, name);`;

mkdirSync(join(home, "node_modules/vite/bin"), { recursive: true });
for (const folder of ["web", "contract"]) mkdirSync(join(home, folder));
writeFileSync(join(home, "node_modules/vite/bin/vite.js"), fakeVite);
writeFileSync(join(home, "package.json"), "{}");
cpSync(join(import.meta.dirname, "prepare.js"), join(home, "scripts/prepare.js"));
const { buildWeb } = (await import(join(home, "scripts/prepare.js"))) as { buildWeb(): void };

function build(...files: string[]): string[] {
  process.env["FILES"] = files.join(" ");
  buildWeb();
  return readdirSync(join(home, "dist/assets")).toSorted();
}

/** Makes the kept files as old as if this time had passed. */
function age(ms: number): void {
  const kept = JSON.parse(readFileSync(list, "utf8")) as Record<string, number>;
  writeFileSync(list, JSON.stringify(Object.fromEntries(Object.entries(kept).map(([name, at]) => [name, at - ms]))));
}

test("a build keeps the replaced files of previous builds for a day, so that open pages can still load them", () => {
  expect(build("app-1.js", "icon.svg")).toEqual(["app-1.js", "icon.svg"]);
  expect(build("app-2.js", "icon.svg")).toEqual(["app-1.js", "app-2.js", "icon.svg"]);
  age(hours(23));
  expect(build("app-3.js", "icon.svg")).toEqual(["app-1.js", "app-2.js", "app-3.js", "icon.svg"]);
  age(hours(2));
  expect(build("app-4.js", "icon.svg")).toEqual(["app-2.js", "app-3.js", "app-4.js", "icon.svg"]);
  expect(build("app-1.js"), "a file that is current again").toContain("app-1.js");
  expect(JSON.parse(readFileSync(list, "utf8"))).not.toHaveProperty("app-1.js");
});
