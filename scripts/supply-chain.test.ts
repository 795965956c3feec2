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

test("every package in the lockfile of the tests with soketi has a checksum, and none is part of the product", () => {
  const { packages } = readLock(join(home, "test/hosted/soketi/package-lock.json"));
  const problems = Object.entries(packages).filter(([path, { integrity }]) => path !== "" && integrity === undefined);
  expect(problems).toEqual([]);
  expect(readLock(join(home, "package-lock.json")).packages).not.toHaveProperty("node_modules/@soketi/soketi");
});

test.each(["package.json", "runtime/package.json", "test/hosted/soketi/package.json"])(
  "the file %s pins the exact version of every dependency",
  (file) => {
    const manifest = JSON.parse(readFileSync(join(home, file), "utf8")) as Manifest;
    const versions = Object.entries({
      ...manifest.dependencies,
      ...manifest.devDependencies,
      ...manifest.optionalDependencies,
    });
    expect(versions.length).toBeGreaterThan(0);
    expect(versions.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  },
);

test("findPackageProblems() reports packages without a licence or checksum, and packages with a forbidden licence", () => {
  const integrity = "sha512-x";
  const packages = {
    "": {},
    "node_modules/free": { license: "(MIT AND ISC)", integrity },
    "node_modules/choice": { license: "(MIT OR GPL-3.0-or-later)", integrity },
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
