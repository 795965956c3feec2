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

/**
 * A group of tests with the same requirements. Becomes a project in vitest.config.ts or
 * playwright.config.ts.
 */
export interface TestProject {
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
const realGames = ["test/process/{docker-driver,command-driver,game-servers}.test.ts"];

export const testProjects = {
  repository: {
    include: ["contract/**/*.test.ts", "test/*.test.ts", "scripts/**/*.test.ts", "bench/**/*.test.ts"],
    exclude: [contractWalk],
  },
  web: { include: ["web/**/*.test.{ts,tsx}", "test/page/*.test.ts"] },
  page: { include: ["test/page/*.test.tsx"] },
  "server (sqlite)": { include: [contractWalk, serverTests] },
  "server (postgres)": {
    // The walk executes every SQL statement of the app.
    include: [contractWalk, ...filesOf({ include: [serverTests] }).filter(isForPostgres)],
    programs: [postgres],
  },
  process: { include: ["test/process/**/*.test.ts"], programs: [postgres], needsPages: true },
  e2e: {
    include: ["test/e2e/**/*.test.ts"],
    runner: "playwright",
    programs: [chromium],
    optionalPrograms: [headlessShell],
    needsPages: true,
  },
  browsers: {
    include: ["test/browsers/**/*.test.ts"],
    runner: "playwright",
    programs: [chromium, firefox, webKitDriver, miniBrowser, xvfb, faketime],
    optionalPrograms: [headlessShell],
    needsPages: true,
  },
  faults: {
    include: ["test/faults/**/*.test.ts", ...realGames],
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

/**
 * Returns `true` for server tests that also run on PostgreSQL. Their files begin with the comment
 * below.
 */
function isForPostgres(file: string): boolean {
  return readFileSync(join(home, file), "utf8").startsWith("// Also on PostgreSQL: ");
}
