import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { home } from "./prepare.js";
import {
  busybox,
  caddy,
  chromium,
  docker,
  dockerCompose,
  faketime,
  firefox,
  headlessShell,
  miniBrowser,
  nginx,
  postgres,
  strace,
  systemd,
  type SystemProgram,
  webKitDriver,
  xvfb,
} from "./system-programs.ts";
import type { TagSelection } from "./test-tags.ts";

/**
 * A group of tests with the same requirements. Becomes a project in vitest.config.ts or
 * playwright.config.ts. Its tags select tests within the files.
 */
export interface TestProject extends TagSelection {
  readonly include: readonly string[];
  readonly exclude?: readonly string[];
  /** Programs that must be installed before the tests run. */
  readonly programs?: readonly SystemProgram[];
  /** Programs that only make the tests faster; the tests also run without them. */
  readonly optionalPrograms?: readonly SystemProgram[];
  /** The program that runs the tests; by default Vitest. */
  readonly runner?: "playwright";
  /** `true` if the tests open the built pages, which must then be built first. */
  readonly needsPages?: boolean;
}

const contractWalk = "test/contract.test.ts";
const serverTests = "server/**/*.test.ts";
/** Runs with fake container engines, and at night with a real one if this machine has one. */
const engineTests = "server/features/game-servers/drivers/docker-engines.test.ts";

export const testProjects = {
  repository: {
    include: ["contract/**/*.test.ts", "test/*.test.ts", "scripts/**/*.test.ts", "bench/**/*.test.ts"],
    exclude: [contractWalk],
  },
  web: { include: ["web/**/*.test.{ts,tsx}", "test/page/*.test.ts"] },
  page: { include: ["test/page/*.test.tsx"] },
  "server (sqlite)": { include: [contractWalk, serverTests], exceptTags: ["postgres-only"] },
  "server (postgres)": {
    include: filesOf({ include: [contractWalk, serverTests] }).filter(hasPostgresTag),
    onlyTags: ["postgres", "postgres-only"],
    programs: [postgres],
  },
  "server (all on postgres)": {
    include: [contractWalk, serverTests],
    exceptTags: ["sqlite-only"],
    programs: [postgres],
  },
  e2e: {
    include: ["test/e2e/**/*.test.ts"],
    runner: "playwright",
    programs: [chromium],
    optionalPrograms: [headlessShell],
    needsPages: true,
  },
  browsers: {
    include: ["test/browsers/*.test.ts"],
    exclude: filesOf({ include: ["test/browsers/{firefox,webkit*}.test.ts"] }),
    runner: "playwright",
    programs: [chromium, faketime],
    optionalPrograms: [headlessShell],
    needsPages: true,
  },
  webkit: {
    include: ["test/browsers/webkit*.test.ts"],
    runner: "playwright",
    programs: [chromium, webKitDriver, miniBrowser, xvfb, faketime],
    optionalPrograms: [headlessShell],
    needsPages: true,
  },
  firefox: {
    include: filesOf({ include: ["test/{e2e,browsers}/*.test.ts"] }).filter(hasFirefoxTag),
    runner: "playwright",
    programs: [firefox, faketime],
    needsPages: true,
  },
  faults: {
    include: ["test/{faults,process}/**/*.test.ts", engineTests],
    programs: [postgres, chromium, faketime, strace],
    optionalPrograms: [headlessShell],
    needsPages: true,
  },
  deployment: {
    include: ["test/deployment/**/*.test.ts"],
    programs: [postgres, caddy, nginx, systemd, dockerCompose, docker, busybox],
    needsPages: true,
  },
  hosted: { include: ["test/hosted/**/*.test.ts"], programs: [postgres] },
} satisfies Record<string, TestProject>;

export type TestProjectName = keyof typeof testProjects;

export function runnerOf(name: TestProjectName): "vitest" | "playwright" {
  const project: TestProject = testProjects[name];
  return project.runner ?? "vitest";
}

/** Returns the paths of a project's test files, relative to the root of the repository. */
export function filesOf({ include, exclude = [] }: TestProject): string[] {
  const excluded = new Set(exclude);
  return globSync(include, { cwd: home }).filter((file) => !excluded.has(file));
}

/** Returns `true` if a test in the file has the tag `postgres` or `postgres-only`, so that the file is worth loading. */
function hasPostgresTag(file: string): boolean {
  return /tags: .*"postgres/.test(readFileSync(join(home, file), "utf8"));
}

/** Returns `true` if a test in the file also runs in Firefox. */
function hasFirefoxTag(file: string): boolean {
  return /tag: .*"@firefox"/.test(readFileSync(join(home, file), "utf8"));
}
