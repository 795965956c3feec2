import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { packageBinary, runToEnd } from "./child-processes.ts";
import { home } from "./prepare.js";
import { reportFailure, reportPass, type Results } from "./results.ts";

interface Check {
  name: string;
  program: string;
  args: readonly string[];
  /** Returns the number of checked files according to the tool's output. */
  filesSeen(output: string): number;
}

const checks: readonly Check[] = [
  {
    name: "types",
    program: "tsc",
    // One checker, because several checkers of one project would repeat much of the work.
    args: ["--build", "--checkers", "1", "--builders", "4"],
    filesSeen: countTypedFiles,
  },
  { name: "lint", program: "oxlint", args: [], filesSeen: numberIn(/on (\d+) files with/) },
  { name: "format", program: "oxfmt", args: ["--check"], filesSeen: numberIn(/on (\d+) files using/) },
  { name: "dead code", program: "knip", args: ["--performance"], filesSeen: numberIn(/^parseFile +(\d+)/m) },
];

/**
 * Runs type check, linter, formatter and dead code search at the same time. A tool that silently skips files, e.g.
 * because of newer syntax, also exits with 0. Therefore each tool must report at least half of our
 * files as checked.
 */
export async function runChecks(results: Results): Promise<void> {
  const { code: cssCode, output: cssOutput } = await runToEnd(process.execPath, ["scripts/css-types.ts"]);
  if (cssCode !== 0) reportFailure(results, "types of the style sheets", cssOutput);
  const sources = globSync("{contract,server,web,test,scripts,bench}/**/*.{ts,tsx}", { cwd: home }).length;
  await Promise.all(
    checks.map(async ({ name, program, args, filesSeen }) => {
      const { code, output } = await runToEnd(packageBinary(program), args, { env: { NO_COLOR: "1" } });
      const seen = filesSeen(output);
      if (code !== 0) reportFailure(results, name, problems(output));
      else if (seen < sources / 2) reportFailure(results, name, `looked at ${seen} files, but there are ${sources}.`);
      else reportPass(results, name, `${seen} files`);
    }),
  );
}

/**
 * Returns the number of our files in the lists that the type checker writes for its next run. It
 * prints only the files that it has checked again.
 */
function countTypedFiles(): number {
  const files = globSync(".build/types/*/*.tsbuildinfo", { cwd: home }).flatMap((path) => {
    const { fileNames } = JSON.parse(readFileSync(join(home, path), "utf8")) as { fileNames: string[] };
    return fileNames.map((name) => join(home, dirname(path), name));
  });
  // Leaves out packages, the compiler's own types (lib.*.d.ts), and the types of other TypeScript projects.
  return new Set(files.filter((file) => !/\/node_modules\/|\/lib\.[\w.]+\.d\.ts$|\/\.build\/.*\.d\.ts$/.test(file)))
    .size;
}

function numberIn(pattern: RegExp): (output: string) => number {
  return (output) => Number(pattern.exec(output)?.[1] ?? 0);
}

/** Returns the errors in a tool's output without repetitions, and without its list of times. */
export function problems(output: string): string {
  const [messages = ""] = output.split(/^Name +size/m);
  const text = messages.replace("Run without `--check` to fix.", "Repair: npm run format").trim();
  // Removes repetitions: an error in a file that several TypeScript projects include is printed
  // once per project.
  return [...new Set(text.split(/\n(?=\S)/))].join("\n");
}
