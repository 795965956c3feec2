import type { Compilable, CompiledQuery } from "kysely";

import type { Db } from "./connect.ts";
import type { Adapter } from "./sqlite.ts";
import { hasEnded } from "./transaction-scope.ts";

/** Stands for a value that is not known while a query is built. `key`: index of the argument, or name of the column. */
class Placeholder {
  readonly key: string;

  constructor(key: string) {
    this.key = key;
  }
}

/** Compiles once per database, which saves half of the time. `build` may use the values only as query parameters. */
export function prepareQuery<Values extends readonly unknown[], Row>(
  build: (db: Db, ...values: Values) => Compilable<Row>,
): (db: Db, ...values: Values) => Promise<Row[]> {
  const placeholders = Array.from({ length: build.length - 1 }, (_, index) => new Placeholder(String(index)));
  const run = prepare((db) => build(db, ...(placeholders as unknown as Values)));
  return (db, ...values) => run(db, values);
}

/** SQLite accepts at most 32,766 values in a query. */
const maxRows = 1000;

/** Compiles only the query for a single row once. More than a thousand rows take several queries. */
export function prepareRowsQuery<Given extends object, Row>(
  build: (db: Db, rows: readonly Given[]) => Compilable<Row>,
): (db: Db, rows: readonly Given[]) => Promise<Row[]> {
  let runForOne: ((db: Db, row: Given) => Promise<Row[]>) | undefined;
  return async (db, rows) => {
    const [row] = rows;
    if (!row) return [];
    if (rows.length > 1) {
      const found: Row[] = [];
      for (let from = 0; from < rows.length; from += maxRows)
        found.push(...(await db.executeQuery(build(db, rows.slice(from, from + maxRows)))).rows);
      return found;
    }
    runForOne ??= prepare((database) => build(database, [toPlaceholders(row)]));
    return runForOne(db, row);
  };
}

function toPlaceholders<Row extends object>(row: Row): Row {
  return Object.fromEntries(Object.keys(row).map((name) => [name, new Placeholder(name)])) as Row;
}

function prepare<Row>(build: (db: Db) => Compilable<Row>): (db: Db, values: object) => Promise<Row[]> {
  /** By adapter, which a database and its transactions share. */
  const compiled = new WeakMap<object, CompiledQuery<Row>>();

  return async (db, values) => {
    const { adapter, plugins }: { adapter: Adapter; plugins: readonly unknown[] } = db.getExecutor();
    let query = compiled.get(adapter);
    if (!query) compiled.set(adapter, (query = build(db).compile()));
    const valueOf = (parameter: unknown): unknown =>
      parameter instanceof Placeholder ? values[parameter.key as keyof typeof values] : parameter;
    const parameters = query.parameters.map(valueOf);
    // Kysely rejects a query on an ended transaction. runAtOnce() would run it within any other open transaction.
    const isDirect = plugins.length === 0 && !hasEnded(db);
    const rows = isDirect ? adapter.runAtOnce?.(query.sql, parameters, db.isTransaction) : null;
    return (rows as Row[] | null | undefined) ?? (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
