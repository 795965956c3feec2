// This test is in test/faults because it occupies two processors for a minute, which is too slow
// for every change.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

import { afterAll, expect, test, vi } from "vitest";

import { createFeature } from "../../scripts/new-feature.ts";

const root = join(import.meta.dirname, "../..");

// The copy is on the same disk as the sources, so that hard links are possible.
mkdirSync(join(root, ".build"), { recursive: true });
const copy = mkdtempSync(join(root, ".build/new-feature-"));
const sources = ["contract", "docs", "server", "web", "test", "bench", "scripts", "package.json", "vitest.config.ts"];
const configs = ["vite.config.ts", "tsconfig.base.json", "tsconfig.server.json", "tsconfig.web.json"];
execFileSync("cp", ["-al", ...[...sources, ...configs].map((name) => join(root, name)), copy]);
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
// Copies these files instead of linking them, because new-feature changes them.
for (const list of ["server/features.ts", "web/app/routes.tsx"])
  execFileSync("cp", ["--remove-destination", join(root, list), join(copy, list)]);
createFeature(copy, "shopping-list");

afterAll(() => rmSync(copy, { recursive: true }));

const runIn = (program: string, ...args: string[]) =>
  spawnSync(process.execPath, [join(root, "node_modules", program), ...args], { cwd: copy, encoding: "utf8" });

test.each(["server", "web"])(
  "the feature that npm run new-feature creates has no type errors in its %s code",
  (side) => {
    const { stdout, status } = runIn("typescript/bin/tsc", "--build", `tsconfig.${side}.json`);
    expect([stdout, status]).toEqual(["", 0]);
  },
);

test("the pages can be built after npm run new-feature", () => {
  vi.stubEnv("NODE_ENV", "production");
  const { stderr, status } = runIn("vite/bin/vite.js", "build", "--logLevel", "warn");
  vi.unstubAllEnvs();
  expect([stderr, status]).toEqual(["", 0]);
});

test("npm run new-feature creates a registered feature with exactly one failing test", () => {
  const files = ["server/features/shopping-list", "server/features.test.ts"];
  const { stdout } = runIn("vitest/vitest.mjs", "run", "--project", "server (sqlite)", ...files);
  expect(stripVTControlCharacters(stdout)).toMatch(/Tests +1 failed \| \d+ passed/);
});
