import type { Kysely, TableMetadata } from "kysely";
import { expect, test } from "vitest";

import { createTemporaryFolder, endWithTest } from "#test/cleanup.ts";
import { createDatabase, dropDatabase } from "#test/database.ts";
import { openDatabase } from "./connect.ts";
import { listPendingMigrations, migrateInTransaction } from "./migrate.ts";

/** The last migration that may break the previous release; there was no release before it. */
const lastUnchecked = "0034-oidc";

/**
 * Tables and columns (`table.column`) that may be dropped or changed, with the release whose code
 * was the first not to use them. Add an entry only after that release: during an update, its code
 * runs beside the new schema.
 */
const unusedSince: Readonly<Record<string, string>> = {};

type Tables = readonly Pick<TableMetadata, "name" | "columns">[];

/** Returns the changes that break code written for the schema `before`. */
function findBreakingChanges(before: Tables, after: Tables): string[] {
  return before.flatMap((table) => {
    const now = after.find(({ name }) => name === table.name);
    if (!now) return [table.name];
    const changed = table.columns.filter((column) => {
      const same = now.columns.find(({ name }) => name === column.name);
      return same?.dataType !== column.dataType || (column.isNullable && !same.isNullable);
    });
    const known = new Set(table.columns.map(({ name }) => name));
    const demanded = now.columns.filter(
      ({ name, isNullable, hasDefaultValue, isAutoIncrementing }) =>
        !known.has(name) && !isNullable && !hasDefaultValue && !isAutoIncrementing,
    );
    return [...changed, ...demanded].map(({ name }) => `${table.name}.${name}`);
  });
}

test(
  "migrations only expand the schema, so that the previous release keeps working beside it",
  { tags: "postgres" },
  async () => {
    const databaseUrl = process.env["TEST_DATABASE"] === "postgres" ? await createDatabase() : null;
    if (databaseUrl) endWithTest(async () => dropDatabase(databaseUrl));
    await using database = openDatabase({ dataDir: createTemporaryFolder(), databaseUrl });
    const names = listPendingMigrations([]);
    const apply = async (only: readonly string[]) =>
      database.db.transaction().execute(async (tx) => migrateInTransaction(tx, database.kind, 1, only));

    const checked = names.indexOf(lastUnchecked) + 1;
    await apply(names.slice(0, checked));
    let schema = await database.db.introspection.getTables();
    for (const name of names.slice(checked)) {
      await apply([name]);
      const next = await database.db.introspection.getTables();
      const breaking = findBreakingChanges(schema, next).filter((place) => !(place in unusedSince));
      expect(
        breaking,
        `${name}: expand now, and contract one release later (docs/decisions/0082-updates-have-no-seam.md)`,
      ).toEqual([]);
      schema = next;
    }
  },
);

test.each<[string, (db: Kysely<unknown>) => Promise<void>, string]>([
  ["a dropped table", async ({ schema }) => schema.dropTable("guests").execute(), "guests"],
  ["a renamed table", async ({ schema }) => schema.alterTable("guests").renameTo("visitors").execute(), "guests"],
  ["a dropped column", async ({ schema }) => schema.alterTable("guests").dropColumn("name").execute(), "guests.name"],
  [
    "a renamed column",
    async ({ schema }) => schema.alterTable("guests").renameColumn("name", "title").execute(),
    "guests.name",
  ],
  [
    "a new required column",
    async ({ schema }) => {
      await schema.dropTable("guests").execute();
      const create = schema.createTable("guests").addColumn("name", "text");
      await create.addColumn("age", "integer", (column) => column.notNull()).execute();
    },
    "guests.age",
  ],
])(
  "the check of migrations finds %s, and accepts new tables and optional columns",
  { tags: "postgres" },
  async (_, change, found) => {
    await using database = openDatabase({ dataDir: ":memory:", databaseUrl: null });
    const db = database.db as Kysely<unknown>;
    await db.schema.createTable("guests").addColumn("name", "text").execute();
    const before = await db.introspection.getTables();
    await db.schema.createTable("parties").addColumn("id", "integer").execute();
    await db.schema.alterTable("guests").addColumn("note", "text").execute();
    await db.schema
      .alterTable("guests")
      .addColumn("beers", "integer", (column) => column.notNull().defaultTo(0))
      .execute();
    expect(findBreakingChanges(before, await db.introspection.getTables())).toEqual([]);
    await change(db);
    expect(findBreakingChanges(before, await db.introspection.getTables())).toContain(found);
  },
);
