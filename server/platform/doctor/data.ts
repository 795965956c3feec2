// What state the data are in, without changing anything but one line that is there to be changed.
import type { Config } from "#server/config.ts";
import { type Database, databaseFile, openDatabase } from "#server/db/connect.ts";
import { assertSqliteIntegrity } from "#server/db/sqlite-integrity.ts";
import { listAppliedMigrations, listPendingMigrations, assertKnownMigrations } from "#server/db/migrate.ts";
import { readPostgresStatus } from "#server/db/postgres-status.ts";
import { lockDataDirectory, DataDirectoryLockedError } from "#server/platform/data-directory-lock.ts";
import { assertDatabaseNotEmpty, assertDatabaseFileExists } from "#server/platform/existing-database.ts";
import { writeSetting } from "#server/platform/settings/store.ts";
import { CheckFailure } from "./check.ts";

type DataLocation = Pick<Config, "databaseUrl" | "dataDir">;
const minPostgresVersion = 15;

/** Whether it is there, is whole, reads and writes. */
export async function checkDatabase(place: DataLocation, now: number): Promise<string> {
  assertDatabaseFileExists(place);
  const served = isDataDirectoryLocked(place);
  if (!place.databaseUrl) assertSqliteIntegrity(databaseFile(place.dataDir), { isAlone: !served });
  return withDatabase(place, async ({ db, kind }) => {
    await assertDatabaseNotEmpty(db, place);
    await writeSetting(db, "last-probe", String(now));
    if (kind === "sqlite") return `SQLite, whole, reads and writes${served ? ", in use by the server" : ""}`;
    const { version, isDurable, apartMs } = await readPostgresStatus(db);
    if (!isDurable) throw new CheckFailure("synchronous_commit is off: acknowledged beers are lost in a power cut.");
    if (version < minPostgresVersion)
      throw new CheckFailure(`PostgreSQL ${version} is too old; ${minPostgresVersion} is needed.`);
    if (Math.abs(apartMs) > 2000)
      throw new CheckFailure(`The clock of PostgreSQL is ${Math.round(apartMs / 1000)} s off.`);
    return `PostgreSQL ${version}, reads and writes`;
  });
}

/** Whether this program and the data are of one version. There has to be a database. */
export async function checkSchema(place: DataLocation): Promise<string> {
  return withDatabase(place, async ({ db }) => {
    const applied = await listAppliedMigrations(db);
    assertKnownMigrations(applied);
    const pending = listPendingMigrations(applied);
    return pending.length === 0
      ? `up to date (${applied.at(-1)})`
      : `${pending.length} changes come with the next start`;
  });
}

function isDataDirectoryLocked(place: DataLocation): boolean {
  try {
    lockDataDirectory(place)();
    return false;
  } catch (error) {
    if (error instanceof DataDirectoryLockedError) return true;
    throw error;
  }
}

async function withDatabase<Result>(
  place: DataLocation,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = openDatabase(place);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
