import { globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { packageBinary, runToEnd } from "./child-processes.ts";
import { isDevRunning } from "./dev-data.ts";
import { refuseFeatureName } from "./feature-name.ts";
import { home } from "./prepare.js";

const templates = join(import.meta.dirname, "new-feature");

/**
 * `npm run new-feature NAME`: creates the files of a working feature from templates: a table, a
 * form, a list, a realtime event and a failing test.
 */
export async function run(args: readonly string[]): Promise<number> {
  const [name, ...rest] = args.filter((arg) => arg !== "--yes");
  if (name === undefined || rest.length > 0) {
    process.stderr.write("Usage: npm run new-feature NAME, such as shopping-list\n");
    return 2;
  }
  const refusal = refuseFeatureName(home, name, args.includes("--yes"));
  if (refusal) {
    process.stderr.write(`${refusal}\n`);
    return 1;
  }
  const files = createFeature(home, name);
  // Formats the files, because line breaks depend on the length of the feature's name.
  await runToEnd(packageBinary("oxfmt"), files);
  process.stdout.write(
    `${files.map((file) => `wrote ${file}`).join("\n")}\n\nNow give ${name} a German title and a place in the sidebar ` +
      `(web/app/routes.tsx and web/features/${name}/page.tsx), say in docs/privacy.de.md what it stores about members, ` +
      `and make server/features/${name}/${name}.test.ts pass.\n`,
  );
  if (isDevRunning()) process.stdout.write(`\n${appliedMigration}\n`);
  return 0;
}

const appliedMigration =
  "npm run dev is running and has applied the migration to its demo data. It does not notice later changes of the " +
  "migration: after each of them, stop it and run npm run dev -- --reset.";

/**
 * Creates the files of a feature below `root`. Adds the feature to the lists of features and routes. Returns the paths of all created and changed files.
 */
export function createFeature(root: string, name: string): string[] {
  const migrations = readdirSync(join(root, "server/db/migrations")).length;
  const migration = `server/db/migrations/${String(migrations + 1).padStart(4, "0")}-${name}.ts`;
  const created = globSync("**/*.template", { cwd: templates })
    .toSorted()
    .map((template) => {
      const file = targetOf(template.slice(0, -".template".length), name, migration);
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), fillIn(readFileSync(join(templates, template), "utf8"), name));
      return file;
    });
  return [...created, ...registerFeature(root, name)];
}

/** Files that list every feature, and what is inserted before which text. */
const lists = [
  {
    file: "server/features.ts",
    insertions: [
      { text: 'import { myFeature } from "./features/my-feature/feature.ts";\n', before: "import type { Feature }" },
      { text: "\n  myFeature,", before: "\n];" },
    ],
  },
  {
    file: "web/app/routes.tsx",
    insertions: [
      {
        text: `
  createRoute({
    getParentRoute,
    path: "/my-feature",
    ...page(
      { ...member, title: "MyFeature", link: { place: 65, label: "MyFeature", icon: <ClipboardList />, who: "member" } },
      () => import("#web/features/my-feature/page.tsx"),
      "MyFeaturePage",
    ),
  }),`,
        before: "\n] as const;",
      },
    ],
  },
];

function registerFeature(root: string, name: string): string[] {
  return lists.map(({ file, insertions }) => {
    const path = join(root, file);
    const registered = insertions.reduce(
      (all, { text, before }) => all.replace(before, () => fillIn(text, name) + before),
      readFileSync(path, "utf8"),
    );
    writeFileSync(path, registered);
    return file;
  });
}

function targetOf(template: string, name: string, migration: string): string {
  if (template === "contract.ts") return `contract/${name}.ts`;
  if (template === "migration.ts") return migration;
  const [side = "", file = ""] = template.split("/");
  if (side === "test") return `test/contract/${fillIn(file, name)}`;
  return `${side}/features/${name}/${fillIn(file, name)}`;
}

/**
 * Replaces the placeholder `my-feature` by the feature's name, in each spelling: with hyphens,
 * underscores and capitals.
 */
function fillIn(text: string, name: string): string {
  const camelCase = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const pascalCase = camelCase.charAt(0).toUpperCase() + camelCase.slice(1);
  return text
    .replaceAll("my-feature", name)
    .replaceAll("my_feature", name.replaceAll("-", "_"))
    .replaceAll("myFeature", camelCase)
    .replaceAll("MyFeature", pascalCase);
}
