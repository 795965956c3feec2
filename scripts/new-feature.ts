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
  const files = globSync("**/*.template", { cwd: templates }).toSorted();
  const made = files.map((template) => createFile(template, name));
  // The length of the name decides where lines break.
  await runToEnd(packageBinary("oxfmt"), made);
  process.stdout.write(
    `${made.map((file) => `created ${file}`).join("\n")}\n\nNow add a line for ${name} to docs/glossary.md, give it a German title in ` +
      `web/features/${name}/route.tsx and page.tsx, and let server/features/${name}/${name}.test.ts pass.\n`,
  );
  return 0;
}

/** Writes one template under its name in the project, and returns that name. */
function createFile(template: string, name: string): string {
  const file = targetOf(template.replace(/\.template$/, ""), name);
  const text = readFileSync(join(templates, template), "utf8");
  mkdirSync(dirname(join(home, file)), { recursive: true });
  writeFileSync(join(home, file), fillIn(text, name));
  return file;
}

function targetOf(template: string, name: string): string {
  if (template === "contract.ts") return `contract/${name}.ts`;
  if (template === "migration.ts") return `server/db/migrations/${nextMigrationNumber()}-${name}.ts`;
  const [side = "", file = ""] = template.split("/");
  return `${side}/features/${name}/${fillIn(file, name)}`;
}

function nextMigrationNumber(): string {
  const { length } = readdirSync(join(home, "server/db/migrations"));
  return String(length + 1).padStart(4, "0");
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
