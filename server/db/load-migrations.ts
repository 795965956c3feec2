import { readdirSync } from "node:fs";
import { join } from "node:path";

import type { Transaction } from "kysely";

import type { DatabaseKind } from "./connect.ts";
import type { Tables } from "./schema.ts";

export interface Migration {
  /** Stored in the database: never rename a released migration. */
  readonly name: string;
  /** Runs once in a transaction, on SQLite or PostgreSQL; use `kind` where their SQL differs. */
  up(tx: Transaction<Tables>, kind: DatabaseKind): Promise<void>;
}

export async function loadMigrations(): Promise<Migration[]> {
  const names = orderMigrations(readdirSync(join(import.meta.dirname, "migrations")));
  const modules: Pick<Migration, "up">[] = await Promise.all(names.map((name) => import(`./migrations/${name}.ts`)));
  return modules.map(({ up }, index) => {
    if (!up) throw new Error(`server/db/migrations/${names[index]}.ts has to export a function up(tx, kind).`);
    return { name: names[index]!, up };
  });
}

/** Throws if a name has the wrong format, or if a number is missing or repeated. */
export function orderMigrations(files: readonly string[]): string[] {
  return files.toSorted().map((file, index) => {
    const number = String(index + 1).padStart(4, "0");
    const name = /^(\d{4}-[a-z0-9-]+)\.ts$/.exec(file)?.[1];
    if (!name?.startsWith(number))
      throw new Error(`server/db/migrations/${file}: rename it to ${number}-what-it-changes.ts; numbers have no gaps.`);
    return name;
  });
}
