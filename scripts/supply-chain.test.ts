import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { home } from "./prepare.js";
import { findPackageProblems, readLock } from "./supply-chain.ts";

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

test.each(["package-lock.json", "runtime/package-lock.json"])(
  "every package in %s has a checksum and an allowed licence",
  (file) => {
    expect(findPackageProblems(readLock(join(home, file)))).toEqual([]);
  },
);

test.each(["package.json", "runtime/package.json"])("the file %s pins the exact version of every dependency", (file) => {
  const manifest = JSON.parse(readFileSync(join(home, file), "utf8")) as Manifest;
  const versions = Object.entries({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
  });
  expect(versions.length).toBeGreaterThan(0);
  expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test("findPackageProblems() reports packages without a licence or checksum, and packages with a forbidden licence", () => {
  const integrity = "sha512-x";
  const packages = {
    "": {},
    "node_modules/free": { license: "(MIT AND ISC)", integrity },
    "node_modules/closed": { license: "MIT AND BUSL-1.1", integrity },
    "node_modules/silent": { integrity },
    "node_modules/loose": { license: "MIT" },
  };
  expect(findPackageProblems({ packages })).toEqual([
    "node_modules/closed: licence BUSL-1.1 is not allowed",
    "node_modules/silent: licence none is not allowed",
    "node_modules/loose: has no checksum",
  ]);
});
