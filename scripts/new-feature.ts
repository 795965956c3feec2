import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { packageBinary, runToEnd } from "./child-processes.ts";
import { home } from "./prepare.js";

const templates = join(import.meta.dirname, "new-feature");

/** `npm run new-feature NAME`: creates the files of a feature with a table, a form, a list, an event and a failing test. */
export async function run([name, ...rest]: readonly string[]): Promise<number> {
  if (name === undefined || rest.length > 0 || !/^[a-z]+(-[a-z]+)*$/.test(name)) {
    process.stderr.write("Usage: npm run new-feature NAME, in small letters and hyphens, such as shopping-list\n");
    return 2;
  }
  if (existsSync(join(home, "server/features", name)) || existsSync(join(home, "contract", `${name}.ts`))) {
    process.stderr.write(`There is a feature ${name} already.\n`);
    return 1;
  }
  const files = createFeature(home, name);
  // Formats the files, because line breaks depend on the length of the name.
  await runToEnd(packageBinary("oxfmt"), files);
  process.stdout.write(
    `${files.map((file) => `wrote ${file}`).join("\n")}\n\nNow give ${name} a German title and a place in the sidebar ` +
      `(web/features/${name}/route.tsx and page.tsx), say in docs/privacy.de.md what it stores about members, and make ` +
      `server/features/${name}/${name}.test.ts pass.\n`,
  );
  return 0;
}

/** Writes the files of a feature below `root`, adds it to the lists of features, tables and routes, and returns all files. */
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

/** The lists that name every feature: each gets an import, before `before`, and an entry, before `end`. */
const lists = [
  {
    file: "server/features.ts",
    before: "import type { Feature }",
    importLine: 'import { myFeatureFeature } from "./features/my-feature/feature.ts";\n',
    end: "\n];",
    entry: "\n  myFeatureFeature,",
  },
  {
    file: "server/db/schema.ts",
    before: "\n/**\n * All tables",
    importLine: 'import type { MyFeatureTables } from "#server/features/my-feature/tables.ts";\n',
    end: " {}\n",
    entry: ",\n    MyFeatureTables",
  },
  {
    file: "web/routes.tsx",
    before: "import { deniedPage }",
    importLine: 'import { myFeatureRoutes } from "./features/my-feature/route.tsx";\n',
    end: "\n] as const;",
    entry: "\n  ...myFeatureRoutes,",
  },
];

function registerFeature(root: string, name: string): string[] {
  return lists.map(({ file, before, importLine, end, entry }) => {
    const text = readFileSync(join(root, file), "utf8");
    const registered = text
      .replace(before, fillIn(`${importLine}${before}`, name))
      .replace(end, fillIn(`${entry}${end}`, name));
    writeFileSync(join(root, file), registered);
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

/** Replaces the template's name, `my-feature`, in each of its spellings. */
function fillIn(text: string, name: string): string {
  const camelCase = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const pascalCase = camelCase.charAt(0).toUpperCase() + camelCase.slice(1);
  return text
    .replaceAll("my-feature", name)
    .replaceAll("my_feature", name.replaceAll("-", "_"))
    .replaceAll("myFeature", camelCase)
    .replaceAll("MyFeature", pascalCase);
}
