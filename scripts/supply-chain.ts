import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

import { runToEnd } from "./child-processes.ts";
import { home } from "./prepare.js";
import { createResults, printSummary, reportFailure, reportPass, type Results } from "./results.ts";

interface Lock {
  readonly packages: Readonly<Record<string, { version?: string; license?: string; integrity?: string }>>;
}

/**
 * Licences that permit our use: we install unchanged packages from the registry and bundle some of
 * them for the browser.
 */
const allowedLicences = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "LGPL-3.0-or-later",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "Unlicense",
  "Zlib",
]);

/**
 * `npm run supply-chain [FILE]`: writes a CycloneDX bill of materials of all packages to FILE and
 * checks their licences. Asks the registry for invalid signatures and known vulnerabilities.
 */
export async function run([file = ".build/sbom.cdx.json"]: readonly string[]): Promise<number> {
  const results = createResults();
  const locks = ["package-lock.json", "runtime/package-lock.json"].map((path) => readLock(join(home, path)));
  reportLicences(results, locks);
  await writeBillOfMaterials(results, resolve(file));
  await askRegistry(results, "signatures", ["audit", "signatures"]);
  await askRegistry(results, "known vulnerabilities", ["audit", "--package-lock-only", "--audit-level=high"]);
  return printSummary(results);
}

export function readLock(path: string): Lock {
  return JSON.parse(readFileSync(path, "utf8")) as Lock;
}

/**
 * Returns a line for each package of a lockfile that has no checksum or a licence that is not
 * allowed.
 */
export function findPackageProblems({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([path, { license = "none", integrity }]) => {
    if (path === "") return [];
    const unknown = licencesIn(license).filter(
      (choice) => !choice.split(" OR ").some((name) => allowedLicences.has(name)),
    );
    return [
      ...unknown.map((name) => `${path}: licence ${name} is not allowed`),
      ...(integrity === undefined ? [`${path}: has no checksum`] : []),
    ];
  });
}

/** Returns the licences that apply together, e.g. two for `(MIT AND ISC)`. Each may be a choice, e.g. `MIT OR GPL-3.0`. */
function licencesIn(expression: string): string[] {
  return expression.replaceAll(/[()]/g, "").split(" AND ");
}

function reportLicences(results: Results, locks: readonly Lock[]): void {
  const problems = locks.flatMap(findPackageProblems);
  const all = locks.flatMap(({ packages }) => Object.entries(packages).filter(([path]) => path !== ""));
  const counts = new Map<string, number>();
  for (const [, { license = "none" }] of all) counts.set(license, (counts.get(license) ?? 0) + 1);
  const list = [...counts].toSorted(([, one], [, other]) => other - one).map(([name, count]) => `${name} ${count}`);
  if (problems.length > 0) reportFailure(results, "licences and checksums", problems.join("\n"));
  else reportPass(results, "licences and checksums", `${all.length} packages: ${list.join(", ")}`);
}

async function writeBillOfMaterials(results: Results, file: string): Promise<void> {
  const args = [
    "sbom",
    "--sbom-format=cyclonedx",
    "--sbom-type=application",
    "--package-lock-only",
    "--loglevel=error",
  ];
  const { code, output } = await runToEnd("npm", args);
  if (code !== 0) return reportFailure(results, "bill of materials", output);
  const bill = JSON.parse(output) as { components: unknown[]; metadata: { component: { name: string } } };
  // Replaces the folder's name, which npm writes into the file, by the name of the project.
  bill.metadata.component.name = "stammtisch";
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
  reportPass(results, "bill of materials", `${bill.components.length} packages in ${file}`);
}

/**
 * Runs an npm command that asks the registry. If the registry is unreachable or does not support
 * the command, the check counts as skipped instead of failed.
 */
async function askRegistry(results: Results, name: string, args: readonly string[]): Promise<void> {
  const { code, output } = await runToEnd("npm", [...args, "--loglevel=warn"]);
  const isUnanswered = /ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|network connectivity|endpoint returned an error/.test(
    output,
  );
  if (code === 0) return reportPass(results, name, output.trim().split("\n").at(-1)!.trim());
  if (!isUnanswered) return reportFailure(results, name, output.trim());
  results.skipped += 1;
  process.stdout.write(`– ${name}: not checked, the registry does not answer\n`);
}
