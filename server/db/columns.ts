import type { ColumnDefinitionBuilder } from "kysely";

import type { DatabaseKind } from "./connect.ts";

/** Defines a primary key that is assigned automatically and never reused. */
export function identity(kind: DatabaseKind) {
  return (column: ColumnDefinitionBuilder) =>
    kind === "postgres" ? column.generatedByDefaultAsIdentity().primaryKey() : column.primaryKey().autoIncrement();
}

/** Returns the column type for bytes. */
export function bytes(kind: DatabaseKind) {
  return kind === "postgres" ? ("bytea" as const) : ("blob" as const);
}

export function required(column: ColumnDefinitionBuilder) {
  return column.notNull();
}

/** References the member that owns the row; deleting the user deletes the row. */
export function owner(column: ColumnDefinitionBuilder) {
  return column.notNull().references("users.id").onDelete("cascade");
}
