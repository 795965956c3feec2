// Stands for a migration of another branch, because numbers have no gaps. Delete this file when that one is merged.
import type { Migration } from "../load-migrations.ts";

export const up: Migration["up"] = async () => {};
