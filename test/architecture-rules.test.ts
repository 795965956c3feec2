import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { findViolations, readSourceFiles } from "./architecture-rules.ts";

const root = join(import.meta.dirname, "..");

test("no file violates a rule", () => {
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
  ["browsers have what the contract uses", "contract/x.ts", "z.iso.datetime();", "z.iso.datetime is missing"],
  ["the server does not import pages", "server/app.ts", 'import { y } from "#web/y.ts";', "does not import pages"],
  ["pages do not import the server", "web/main.tsx", 'import { y } from "../server/y.ts";', "do not import the server"],
  ["not even in their tests", "web/ui/a.test.ts", 'import { y } from "#server/y.ts";', "do not import the server"],
  ["the product does not import tests", "server/app.ts", 'import { y } from "#test/y.ts";', "its tests"],
  ["db lies below platform", "server/db/x.ts", 'import { y } from "../platform/y.ts";', "higher layer"],
  ["platform lies below features", "server/platform/x.ts", 'import("#server/features/auth/store.ts")', "higher layer"],
  ["ui lies below platform", "web/ui/x.tsx", 'import { y } from "#web/platform/y.ts";', "higher layer"],
  [
    "features are used through three files",
    "server/features/auth/routes.ts",
    'import { y } from "#server/features/members/routes.ts";',
    "store, actions or rules",
  ],
  [
    "web features do not import each other",
    "web/features/auth/page.tsx",
    'import { y } from "../members/rules.ts";',
    "import each other",
  ],
  ["server features have few file names", "server/features/auth/manager.ts", "", "a server feature has"],
  ["drivers are for game servers", "server/features/auth/drivers/x.ts", "", "a server feature has"],
  ["web features have few file names", "web/features/auth/store.ts", "", "a web feature has"],
  ["SQL stays in the store", "server/features/auth/actions.ts", 'await db.selectFrom("users").execute();', "store.ts"],
  ["raw SQL too", "server/platform/http/rate-limit.ts", "await sql<number>`select 1`.execute(db);", "store.ts"],
  ["one file reads the environment", "server/platform/log.ts", "process.env.LOG_LEVEL;", "take what you need"],
  ["also in brackets", "server/main.ts", 'process["env"].PORT;', "take what you need"],
  ["work is repeated in one way", "server/platform/x.ts", "setInterval(() => {}, 1000);", "use every()"],
  [
    "stores have one word for nothing",
    "server/features/x/store.ts",
    "async function findX(db: Db): Promise<string | null> {}",
    "returns undefined",
  ],
  ["journeys do not sleep", "test/e2e/x.test.ts", "await page.waitForTimeout(500);", "page.clock"],
  ["lint rules are disabled for a reason", "web/ui/x.tsx", "// oxlint-disable-next-line eqeqeq", "without a reason"],
  ["files stay short", "server/platform/x.ts", "x;\n".repeat(401), "401 lines"],
  ["names say something", "web/platform/utils.ts", "", "says nothing"],
  ["folders too", "server/lib/x.ts", "", "says nothing"],
  ["names are kebab-case", "web/ui/BarChart.tsx", "", "kebab-case"],
  ["no barrels", "web/ui/index.ts", "", "no barrels"],
  ["nothing is re-exported", "server/db/x.ts", 'export { y } from "./y.ts";', "import it from there"],
  ["not even everything", "server/db/x.ts", 'export * from "./y.ts";', "import it from there"],
  ["no places outside the repository", "README.md", "Get it from https://registry.example", "names a place"],
];

test.for(plantedViolations)("%s", ([, path, text, message]) => {
  const violations = findViolations(new Map([[path, text]]));
  expect(violations).toHaveLength(1);
  expect(violations[0]).toContain(path);
  expect(violations[0]).toContain(message);
});

test("import cycles are found, however long", () => {
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

test("features that use each other are found", () => {
  const files = new Map([
    ["server/features/auth/actions.ts", 'import { y } from "#server/features/members/store.ts";'],
    ["server/features/members/rules.ts", 'import { y } from "../auth/rules.ts";'],
  ]);
  expect(findViolations(files)).toEqual([
    "auth → members → auth: features use each other; move what both need into a third one or server/platform.",
  ]);
});

test("what is allowed is no violation", () => {
  const files = new Map([
    ["contract/x.ts", 'import * as z from "zod/mini";\nimport { y } from "./y.ts";'],
    ["server/features/auth/actions.ts", 'import { y } from "#server/features/members/store.ts";'],
    ["server/features/auth/actions.test.ts", 'import { y } from "#test/test-app.ts"; process.env.X;'],
    ["server/features/game-servers/drivers/docker.ts", 'import { y } from "#server/platform/y.ts";'],
    ["server/features/auth/store.ts", 'db.selectFrom("users")'],
    [
      "server/features/auth/contract-rows.ts",
      'import { y } from "#test/y.ts";\nawait db.insertInto("users").execute();',
    ],
    ["web/features/auth/login-page.tsx", 'import { Button } from "#web/ui/button.tsx";'],
    ["web/ui/x.tsx", "/* oxlint-disable-next-line eqeqeq -- null or undefined */"],
    ["web/features/auth/components/x.tsx", 'import styles from "./x.module.css";'],
    ["server/config.ts", "process.env;"],
  ]);
  expect(findViolations(files)).toEqual([]);
});
