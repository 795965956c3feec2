import { sql } from "kysely";

import type { DatabaseKind, Db } from "./connect.ts";

export interface ForeignKey {
  readonly table: string;
  readonly column: string;
  readonly target: string;
}

export async function listForeignKeys(db: Db, kind: DatabaseKind): Promise<ForeignKey[]> {
  const query =
    kind === "postgres"
      ? sql<ForeignKey>`select conrelid::regclass::text as "table", attname as "column", confrelid::regclass::text as target
          from pg_constraint join pg_attribute on attrelid = conrelid and attnum = any(conkey)
          where contype = 'f' and connamespace = current_schema()::regnamespace`
      : sql<ForeignKey>`select sqlite_schema.name as "table", keys."from" as "column", keys."table" as target
          from sqlite_schema, pragma_foreign_key_list(sqlite_schema.name) as keys where sqlite_schema.type = 'table'`;
  return (await query.execute(db)).rows;
}

/** Sorts by name, but puts referenced tables before the tables that refer to them. */
export function orderByReferences(tables: readonly string[], keys: readonly ForeignKey[]): string[] {
  const ordered = new Set<string>();
  function add(table: string): void {
    for (const key of keys)
      if (key.table === table && key.target !== table && !ordered.has(key.target)) add(key.target);
    ordered.add(table);
  }
  for (const table of tables.toSorted()) if (!ordered.has(table)) add(table);
  return [...ordered].filter((table) => tables.includes(table));
}
