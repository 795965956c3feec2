import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { compileFunction } from "node:vm";

import wordListPath from "word-list";

import { tables } from "#server/features.ts";

/** First parts of paths that belong to no feature: the WebSocket, and the files of the pages. */
const otherPaths = new Set(["app", "assets"]);

/**
 * Returns why the name, e.g. `shopping-list`, cannot be that of a new feature below `root`;
 * `undefined` if it can. `isEnglish`: the word list need not contain its words.
 */
export function refuseFeatureName(root: string, name: string, isEnglish = false): string | undefined {
  if (!/^[a-z]+(-[a-z]+)*$/.test(name))
    return `A feature is named in small English letters and hyphens, such as shopping-list.`;
  const folders = ["server/features", "web/features", "contract"];
  if (folders.some((folder) => existsSync(join(root, folder, name)) || existsSync(join(root, folder, `${name}.ts`))))
    return `There is a feature ${name} already.`;
  const inSql = name.replaceAll("-", "_");
  if (isReserved(inSql))
    return `“${name}” is a word of JavaScript or SQL, which can name nothing. Add a noun, such as ${name}-list.`;
  const table = [inSql, `${inSql}_entries`].find((one) => one in tables);
  if (table) return `There is a table ${table} already.`;
  if (isExported(inSql)) return `The data export has a field ${inSql} already.`;
  if (otherPaths.has(name) || hasPath(root, name)) return `There is a path /${name} already.`;

  if (isEnglish) return undefined;
  const words = `\n${readFileSync(wordListPath, "utf8")}\n`;
  const unknown = name.split("-").find((word) => !words.includes(`\n${word}\n`));
  return unknown === undefined
    ? undefined
    : `“${unknown}” is not in the list of English words. The code is English, only the screen is German: name the feature ` +
        `by the English word. If “${unknown}” is one, repeat the command with -- --yes.`;
}

/** Returns `true` if neither a variable nor a table can have this name without quotes. */
function isReserved(name: string): boolean {
  try {
    compileFunction(`"use strict"; async () => { let ${name}; };`);
    using database = new DatabaseSync(":memory:");
    database.exec(`create table ${name} (id integer)`);
    return false;
  } catch {
    return true;
  }
}

function isExported(field: string): boolean {
  const columns = Object.values(tables).flatMap(({ memberColumns = {} }) => Object.values(memberColumns));
  return columns.some(({ exportedAs }) => exportedAs === field);
}

/** Returns `true` if an endpoint or a page has a path that begins with `/NAME` or `/api/NAME`. */
function hasPath(root: string, name: string): boolean {
  const path = new RegExp(`"([A-Z]+ )?(/api)?/${name}["/?]`);
  const files = globSync(["contract/*.ts", "web/app/routes.tsx"], { cwd: root });
  return files.some((file) => path.test(readFileSync(join(root, file), "utf8")));
}
