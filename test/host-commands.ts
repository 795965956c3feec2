import { readConfig } from "#server/config.ts";
import type { DataLocation } from "#server/db/connect.ts";
import { tables } from "#server/features.ts";
import { commands } from "#server/features/operation/commands.ts";
import type { CommandResult } from "#server/platform/command.ts";
import { createTemporaryFolder, endWithTest } from "./cleanup.ts";
import { createDatabase, dropDatabase } from "./database.ts";
import type { TestApp } from "./test-app.ts";

export type DatabaseKind = "sqlite" | "postgres";

/** The kind of database that this test run uses. */
export const databaseKind: DatabaseKind = process.env["TEST_DATABASE"] === "postgres" ? "postgres" : "sqlite";

/** Creates an empty data directory and, for PostgreSQL, an empty database; both are removed after the test. */
export async function createEmptyLocation(kind: DatabaseKind = databaseKind): Promise<DataLocation> {
  const dataDir = createTemporaryFolder();
  if (kind === "sqlite") return { dataDir, databaseUrl: null };
  const databaseUrl = await createDatabase();
  endWithTest(() => dropDatabase(databaseUrl));
  return { dataDir, databaseUrl };
}

/**
 * Runs a command that opens the database itself, such as `backup`, on this data directory and
 * database.
 */
export async function runHostCommand(
  { clock }: Pick<TestApp, "clock">,
  name: string,
  { dataDir, databaseUrl }: DataLocation,
  args: readonly string[],
  options: Record<string, string | boolean> = {},
): Promise<CommandResult> {
  const config = readConfig({ DATA_DIR: dataDir, ...(databaseUrl && { DATABASE_URL: databaseUrl }) });
  const command = commands.find((one) => one.name === name)!;
  return command.runWithoutDatabase({ config, clock, args, options, tables, demoSeeds: [] });
}
