import type { ColumnDefinitionBuilder } from "kysely";

import type { DatabaseKind } from "./connect.ts";

/** Ids of deleted rows are never reused. */
export function identity(kind: DatabaseKind) {
  return (column: ColumnDefinitionBuilder) =>
    kind === "postgres" ? column.generatedByDefaultAsIdentity().primaryKey() : column.primaryKey().autoIncrement();
}

export function bytes(kind: DatabaseKind) {
  return kind === "postgres" ? ("bytea" as const) : ("blob" as const);
}

export function required(column: ColumnDefinitionBuilder) {
  return column.notNull();
}

/** Deleting the member deletes the row. */
export function owner(column: ColumnDefinitionBuilder) {
  return column.notNull().references("users.id").onDelete("cascade");
}
