import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

import { expect, test } from "vitest";

import { createTemporaryFolder } from "./cleanup.ts";

const root = join(import.meta.dirname, "..");

/** Source files by path; each breaks the lint rule that the comment behind it names. */
const plantedViolations: Record<string, string> = {
  "server/promise.ts": "async function work(): Promise<void> {}\nwork();", // typescript(no-floating-promises)
  "server/callback.ts": "[1].forEach(async () => { await Promise.resolve(); });", // typescript(no-misused-promises)
  "server/any.ts": "export const x: any = 1;", // typescript(no-explicit-any)
  "server/default.ts": "export default 1;", // import(no-default-export)
  "server/a.ts": 'import { b } from "./b.ts";\nexport const a = (): unknown => b;', // import(no-cycle)
  "server/b.ts": 'import { a } from "./a.ts";\nexport const b = (): unknown => a;', // import(no-cycle)
  "server/focus.test.ts": 'import { test } from "vitest";\ntest.only("x", () => {});', // vitest(no-focused-tests)
  "web/picture.tsx": 'export const Picture = () => <img src="/x.png" />;', // jsx-a11y(alt-text)
  "web/click.tsx": "export const Click = () => <div onClick={() => {}}>x</div>;", // jsx-a11y(click-events-have-key-events)
  "web/hook.tsx":
    'import { useEffect } from "react";\nexport function Hook({ n }: { n: number }) {\n' +
    "  useEffect(() => { document.title = String(n); }, []);\n  return null;\n}", // react-hooks(exhaustive-deps)
};

const folder = createTemporaryFolder();
for (const room of ["server", "web"]) mkdirSync(join(folder, room), { recursive: true });
for (const [path, text] of Object.entries(plantedViolations)) writeFileSync(join(folder, path), text);
copyFileSync(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
const compilerOptions = { lib: ["es2024", "dom"], jsx: "react-jsx" };
writeFileSync(
  join(folder, "tsconfig.json"),
  JSON.stringify({ extends: join(root, "tsconfig.base.json"), compilerOptions }),
);
// The linter looks for its type-aware part first in the working directory's packages, then in PATH.
const programs = join(root, "node_modules/.bin");
const env = { ...process.env, PATH: `${programs}${delimiter}${process.env["PATH"]}` };
const { stdout: output } = spawnSync(join(programs, "oxlint"), ["--format", "unix"], {
  cwd: folder,
  env,
  encoding: "utf8",
});

test.for([
  ["server/promise.ts", "no-floating-promises"],
  ["server/callback.ts", "no-misused-promises"],
  ["server/any.ts", "no-explicit-any"],
  ["server/default.ts", "no-default-export"],
  ["server/a.ts", "no-cycle"],
  ["server/focus.test.ts", "no-focused-tests"],
  ["web/picture.tsx", "alt-text"],
  ["web/click.tsx", "click-events-have-key-events"],
  ["web/hook.tsx", "exhaustive-deps"],
] as const)("the linter reports in the planted file %s a violation of the rule %s", ([path, rule]) => {
  const lines = output.split("\n").filter((line) => line.startsWith(`${path}:`));
  expect(
    lines.some((line) => line.includes(`(${rule})`)),
    output,
  ).toBe(true);
});
