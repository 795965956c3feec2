import type { Compilable, CompiledQuery } from "kysely";

import type { Db } from "./connect.ts";

/** Stands for the value at `index` while a query is built. */
class Placeholder {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

/**
 * A query that is built once for each kind of database; every call only fills in the values, which saves half of its time. `build` must
 * use the values as parameters and nothing else.
 */
export function prepareQuery<Values extends readonly unknown[], Row>(
  build: (db: Db, ...values: Values) => Compilable<Row>,
): (db: Db, ...values: Values) => Promise<Row[]> {
  /** A database and its transactions have the same adapter. */
  const compiled = new WeakMap<object, CompiledQuery<Row>>();

  function compile(db: Db): CompiledQuery<Row> {
    const placeholders = Array.from({ length: build.length - 1 }, (_, index) => new Placeholder(index));
    const query = build(db, ...(placeholders as unknown as Values)).compile();
    compiled.set(db.getExecutor().adapter, query);
    return query;
  }

  return async (db, ...values) => {
    const query = compiled.get(db.getExecutor().adapter) ?? compile(db);
    const parameters = query.parameters.map((value) => (value instanceof Placeholder ? values[value.index] : value));
    return (await db.executeQuery<Row>({ ...query, parameters })).rows;
  };
}
