// The only write is the setting `last-probe`, to prove that the database is writable.
import { type DataLocation, databaseFile, explainDatabaseError, isDiskFull, withDatabase } from "#server/db/connect.ts";
import { assertSchemaKnown, listAppliedMigrations, listPendingMigrations } from "#server/db/migrate.ts";
import { readPostgresStatus } from "#server/db/postgres-status.ts";
import { assertSqliteIntegrity } from "#server/db/sqlite-integrity.ts";
import { formatCount } from "#server/platform/command.ts";
import * as settingsStore from "#server/platform/settings/store.ts";
import { assertDataIntegrity } from "#server/platform/storage/data-directory-lock.ts";
import {
  assertDatabaseFileExists,
  assertDatabaseNotEmpty,
  NoDatabaseError,
} from "#server/platform/storage/existing-database.ts";
import { CheckFailure } from "./check.ts";
import { hasSpace } from "./machine.ts";

const minPostgresVersion = 15;

/**
 * Checks that the database is readable and writable. Also checks that an SQLite file is intact, and PostgreSQL's
 * version, durability of commits and clock.
 */
export async function checkDatabase(place: DataLocation, now: number): Promise<string> {
  return inspectDatabase(place, now).catch((error: unknown) => {
    const full = explainFullDisk(place, error);
    if (full !== null) throw new CheckFailure(full);
    const explained = explainDatabaseError(error);
    throw explained ? new CheckFailure(explained) : error;
  });
}

/** Only for a full disk of the SQLite file; `null` for any other error. */
function explainFullDisk({ databaseUrl, dataDir }: DataLocation, error: unknown): string | null {
  if (databaseUrl) return null;
  const effect =
    (isDiskFull(error) && "used") || (error instanceof NoDatabaseError && !hasSpace(dataDir) && "created") || null;
  return effect && `The disk of ${dataDir} is full, so the database cannot be ${effect}. Free some space.`;
}

async function inspectDatabase(place: DataLocation, now: number): Promise<string> {
  assertDatabaseFileExists(place);
  const isServed = !assertDataIntegrity(place);
  if (isServed) assertSqliteIntegrity(databaseFile(place.dataDir), { isAlone: false });
  return withDatabase(place, async ({ db, kind }) => {
    await assertDatabaseNotEmpty(db, place);
    await settingsStore.writeSetting(db, "last-probe", String(now));
    if (kind === "sqlite") return `SQLite, intact, readable and writable${isServed ? ", in use by the server" : ""}`;
    const { version, isDurable, clockOffsetMs } = await readPostgresStatus(db);
    if (!isDurable) throw new CheckFailure("synchronous_commit is off: acknowledged beers are lost in a power cut.");
    if (version < minPostgresVersion)
      throw new CheckFailure(`PostgreSQL ${version} is too old; ${minPostgresVersion} is needed.`);
    if (Math.abs(clockOffsetMs) > 2000)
      throw new CheckFailure(`The clock of PostgreSQL is ${Math.round(clockOffsetMs / 1000)} s off.`);
    return `PostgreSQL ${version}, readable and writable`;
  });
}

/** The database must exist. */
export async function checkSchema(place: DataLocation): Promise<string> {
  return withDatabase(place, async ({ db }) => {
    await assertSchemaKnown(db);
    const applied = await listAppliedMigrations(db);
    const pending = listPendingMigrations(applied);
    return pending.length === 0
      ? `up to date (${applied.at(-1)})`
      : `${formatCount(pending.length, "migration")} pending, applied at the next start`;
  });
}
