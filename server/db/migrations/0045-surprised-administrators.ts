// Administrators who want to see who drew which calendar door; the others are surprised.
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async (tx) => {
  await tx.schema
    .alterTable("users")
    .addColumn("sees_door_owners", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
};
