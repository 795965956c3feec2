import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { findViolations, readSourceFiles } from "./architecture-rules.ts";

const root = join(import.meta.dirname, "..");

test("no file of the repository violates an architecture rule", () => {
  const text = /\.(tsx?|js|json|css|html|md|ya?ml|txt)$|^(bin\/stammtisch|Dockerfile|LICENSE|NOTICE|\.ci\/run)$/;
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  const paths = listed.split("\n").filter((path) => text.test(path) && existsSync(join(root, path)));
  const files = readSourceFiles(root, paths);
  for (const folder of ["bin/", "contract/", "server/", "web/", "test/", "scripts/", "package.json"]) {
    expect(
      paths.filter((path) => path.startsWith(folder)),
      `files in ${folder}`,
    ).not.toEqual([]);
  }
  expect(findViolations(files)).toEqual([]);
});

const plantedViolations: [rule: string, path: string, text: string, message: string][] = [
  ["the contract imports only zod/mini", "contract/x.ts", 'import * as z from "zod";', "zod/mini and itself"],
  [
    "the contract does not import the server",
    "contract/x.ts",
    'import { y } from "#server/y.ts";',
    "zod/mini and itself",
  ],
  ["the server does not import pages", "server/app.ts", 'import { y } from "#web/y.ts";', "does not import pages"],
  ["pages do not import the server", "web/main.tsx", 'import { y } from "../server/y.ts";', "do not import the server"],
  [
    "tests of pages do not import the server",
    "web/ui/a.test.ts",
    'import { y } from "#server/y.ts";',
    "do not import the server",
  ],
  ["the product does not import tests", "server/app.ts", 'import { y } from "#test/y.ts";', "its tests"],
  ["db does not import platform", "server/db/x.ts", 'import { y } from "../platform/y.ts";', "higher layer"],
  [
    "platform does not import features",
    "server/platform/x.ts",
    'import("#server/features/members/session-store.ts")',
    "higher layer",
  ],
  ["ui does not import shell", "web/ui/x.tsx", 'import { y } from "#web/shell/y.ts";', "higher layer"],
  ["data does not import shared", "web/data/x.ts", 'import { y } from "#web/shared/y.ts";', "higher layer"],
  [
    "other features import only a feature's store, actions and rules",
    "server/features/accounts/routes.ts",
    'import { y } from "#server/features/members/routes.ts";',
    "store, actions or rules",
  ],
  [
    "files of server features have one of the fixed names",
    "server/features/accounts/manager.ts",
    "",
    "a server feature has",
  ],
  ["only game servers have drivers", "server/features/accounts/drivers/x.ts", "", "a server feature has"],
  ["a web feature has no folders", "web/features/accounts/parts/x.ts", "", "a web feature is one folder"],
  [
    "only stores contain SQL",
    "server/features/accounts/login-actions.ts",
    'await db.selectFrom("users").execute();',
    "store.ts",
  ],
  [
    "only stores contain raw SQL",
    "server/platform/limits/limits.ts",
    "await sql<number>`select 1`.execute(db);",
    "store.ts",
  ],
  ["only one file reads the environment", "server/platform/log.ts", "process.env.LOG_LEVEL;", "take what you need"],
  ["reading the environment with brackets is reported", "server/main.ts", 'process["env"].PORT;', "take what you need"],
  ["only every() repeats work", "server/platform/x.ts", "setInterval(() => {}, 1000);", "use every()"],
  [
    "stores return undefined for missing rows",
    "server/features/x/store.ts",
    "async function findX(db: Db): Promise<string | null> {}",
    "returns undefined",
  ],
  ["end-to-end tests do not sleep", "test/e2e/x.test.ts", "await page.waitForTimeout(500);", "page.clock"],
  ["disabling a lint rule requires a reason", "web/ui/x.tsx", "// oxlint-disable-next-line eqeqeq", "without a reason"],
  ["files have at most 400 lines", "server/platform/x.ts", "x;\n".repeat(401), "401 lines"],
  ["vague file names are reported", "web/shared/utils.ts", "", "says nothing"],
  ["vague folder names are reported", "server/lib/x.ts", "", "says nothing"],
  ["file names are kebab-case", "web/ui/BarChart.tsx", "", "kebab-case"],
  ["index files are reported", "web/ui/index.ts", "", "no barrels"],
  ["a named re-export is reported", "server/db/x.ts", 'export { y } from "./y.ts";', "import it from there"],
  ["a re-export of everything is reported", "server/db/x.ts", 'export * from "./y.ts";', "import it from there"],
  [
    "a comment with a free relative clause as its subject is reported",
    "server/db/x.ts",
    "/** Whether it is open. */\n",
    "(English, rule 3)",
  ],
  ["a vague word in a comment is reported", "web/ui/x.css", "/* Shown meanwhile. */\n", "(English, rule 5)"],
  [
    "a vague word in the name of a test after its rows is reported",
    "server/x.test.ts",
    'test.each([\n  [1],\n])("nobody drinks %i", () => {});\n',
    "(English, rule 5)",
  ],
  [
    "addresses outside the repository are reported",
    "README.md",
    "Get it from https://registry.example",
    "names a place",
  ],
];

test.for(plantedViolations)("the architecture rules report planted violations: %s", ([, path, text, message]) => {
  const violations = findViolations(new Map([[path, text]]));
  expect(violations).toHaveLength(1);
  expect(violations[0]).toContain(path);
  expect(violations[0]).toContain(message);
});

test("the architecture rules report import cycles of any length", () => {
  const files = new Map([
    ["server/platform/a.ts", 'import type { B } from "./b.ts";'],
    ["server/platform/b.ts", 'import { c } from "#server/platform/c.ts";'],
    ["server/platform/c.ts", 'const a = await import("./a.ts");'],
  ]);
  expect(findViolations(files)).toEqual([
    "server/platform/a.ts → server/platform/b.ts → server/platform/c.ts → server/platform/a.ts: " +
      "an import cycle; move what both need into a file below them.",
  ]);
});

test("the architecture rules report features that import each other", () => {
  const files = new Map([
    ["server/features/accounts/login-actions.ts", 'import { y } from "#server/features/members/store.ts";'],
    ["server/features/members/rules.ts", 'import { y } from "../accounts/rules.ts";'],
  ]);
  expect(findViolations(files)).toEqual([
    "server/features/accounts → server/features/members → server/features/accounts: " +
      "features use each other; move what both need into a third one or below the features.",
  ]);
});

test("the architecture rules do not report allowed imports, names and code", () => {
  const files = new Map([
    ["contract/x.ts", 'import * as z from "zod/mini";\nimport { y } from "./y.ts";'],
    ["server/features/accounts/login-actions.ts", 'import { y } from "#server/features/members/store.ts";'],
    ["server/features/accounts/actions.test.ts", 'import { y } from "#test/test-app.ts"; process.env.X;'],
    ["server/features/game-servers/drivers/docker.ts", 'import { y } from "#server/platform/y.ts";'],
    ["server/features/members/session-store.ts", 'db.selectFrom("users")'],
    ["web/features/accounts/login-page.tsx", 'import { Button } from "#web/ui/button.tsx";'],
    ["web/ui/x.tsx", "/* oxlint-disable-next-line eqeqeq -- null or undefined */"],
    ["server/config.ts", "process.env;"],
  ]);
  expect(findViolations(files)).toEqual([]);
});
