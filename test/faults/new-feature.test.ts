// Takes a minute of two processors, so it does not run with every change.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

import { afterAll, expect, test, vi } from "vitest";

import { createFeature } from "../../scripts/new-feature.ts";

const root = join(import.meta.dirname, "../..");

// Beside the sources, so that links to them are possible.
const copy = mkdtempSync(join(root, "node_modules/.cache/new-feature-"));
const sources = ["contract", "docs", "server", "web", "test", "bench", "scripts", "package.json", "vitest.config.ts"];
const configs = ["vite.config.ts", "tsconfig.base.json", "tsconfig.server.json", "tsconfig.web.json"];
execFileSync("cp", ["-al", ...[...sources, ...configs].map((name) => join(root, name)), copy]);
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
createFeature(copy, "shopping-list");

afterAll(() => rmSync(copy, { recursive: true }));

const runIn = (program: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(root, "node_modules", program), ...args], { cwd: copy, encoding: "utf8" });

test.each(["server", "web"])("what npm run new-feature makes has no type errors on the side of the %s", (side) => {
  const config = `tsconfig.${side}.json`;
  const { stdout, status } = runIn(
    "typescript/bin/tsc",
    "-p",
    config,
    "--composite",
    "false",
    "--incremental",
    "false",
  );
  expect([stdout, status]).toEqual(["", 0]);
});

test("its pages can be built", () => {
  vi.stubEnv("NODE_ENV", "production");
  const { stderr, status } = runIn("vite/bin/vite.js", "build", "--logLevel", "warn");
  vi.unstubAllEnvs();
  expect([stderr, status]).toEqual(["", 0]);
});

test("it works, and has one test that fails", () => {
  const { stdout } = runIn("vitest/vitest.mjs", "run", "--project", "server (sqlite)", "server/features/shopping-list");
  expect(stripVTControlCharacters(stdout)).toMatch(/Tests +1 failed \| 1 passed/);
});
