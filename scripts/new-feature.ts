import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { packageBinary, runToEnd } from "./child-processes.ts";
import { home } from "./prepare.js";

const templates = join(import.meta.dirname, "new-feature");

/** `npm run new-feature NAME`: makes the files of a feature with a table, a form, a list, an event and a failing test. */
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
  // The length of the name decides where lines break.
  await runToEnd(packageBinary("oxfmt"), files);
  process.stdout.write(
    `${files.map((file) => `created ${file}`).join("\n")}\n\nNow add a line for ${name} to docs/glossary.md, give it a German ` +
      `title in web/features/${name}/route.tsx and page.tsx, say in docs/privacy.de.md what it stores of members, and let ` +
      `server/features/${name}/${name}.test.ts pass.\n`,
  );
  return 0;
}

/** Writes the files of a feature below `root`, and returns their names. */
export function createFeature(root: string, name: string): string[] {
  const migrations = readdirSync(join(root, "server/db/migrations")).length;
  const migration = `server/db/migrations/${String(migrations + 1).padStart(4, "0")}-${name}.ts`;
  return globSync("**/*.template", { cwd: templates })
    .toSorted()
    .map((template) => {
      const file = targetOf(template.slice(0, -".template".length), name, migration);
      mkdirSync(dirname(join(root, file)), { recursive: true });
      writeFileSync(join(root, file), fillIn(readFileSync(join(templates, template), "utf8"), name));
      return file;
    });
}

function targetOf(template: string, name: string, migration: string): string {
  if (template === "contract.ts") return `contract/${name}.ts`;
  if (template === "migration.ts") return migration;
  const [side = "", file = ""] = template.split("/");
  return `${side}/features/${name}/${fillIn(file, name)}`;
}

/** Replaces the name of the template, `my-feature`, in each of its spellings. */
function fillIn(text: string, name: string): string {
  const camelCase = name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const pascalCase = camelCase.charAt(0).toUpperCase() + camelCase.slice(1);
  return text
    .replaceAll("my-feature", name)
    .replaceAll("my_feature", name.replaceAll("-", "_"))
    .replaceAll("myFeature", camelCase)
    .replaceAll("MyFeature", pascalCase);
}
