// What state the data are in, without changing anything but one line that is there to be changed.
import type { Config } from "#server/config.ts";
import { type Database, databaseFile, openDatabase } from "#server/db/connect.ts";
import { inspectFile } from "#server/db/inspect.ts";
import { appliedMigrations, pendingMigrations, refuseNewer } from "#server/db/migrate.ts";
import { askPostgres } from "#server/db/postgres-facts.ts";
import { claimDataDir, DataDirTakenError } from "#server/platform/claim.ts";
import { refuseEmptyDatabase, refuseMissingFile } from "#server/platform/existing-database.ts";
import { writeSetting } from "#server/platform/settings/store.ts";
import { Complaint } from "./check.ts";

type Place = Pick<Config, "databaseUrl" | "dataDir">;
const oldestPostgres = 15;

/** Whether it is there, is whole, reads and writes. */
export async function lookAtDatabase(place: Place, now: number): Promise<string> {
  refuseMissingFile(place);
  const served = isServed(place);
  if (!place.databaseUrl) inspectFile(databaseFile(place.dataDir), { isAlone: !served });
  return onDatabase(place, async ({ db, kind }) => {
    await refuseEmptyDatabase(db, place);
    await writeSetting(db, "last-probe", String(now));
    if (kind === "sqlite") return `SQLite, whole, reads and writes${served ? ", in use by the server" : ""}`;
    const { version, isDurable, apartMs } = await askPostgres(db);
    if (!isDurable) throw new Complaint("synchronous_commit is off: acknowledged beers are lost in a power cut.");
    if (version < oldestPostgres) throw new Complaint(`PostgreSQL ${version} is too old; ${oldestPostgres} is needed.`);
    if (Math.abs(apartMs) > 2000)
      throw new Complaint(`The clock of PostgreSQL is ${Math.round(apartMs / 1000)} s off.`);
    return `PostgreSQL ${version}, reads and writes`;
  });
}

/** Whether this program and the data are of one version. There has to be a database. */
export async function lookAtSchema(place: Place): Promise<string> {
  return onDatabase(place, async ({ db }) => {
    const applied = await appliedMigrations(db);
    refuseNewer(applied);
    const pending = pendingMigrations(applied);
    return pending.length === 0
      ? `up to date (${applied.at(-1)})`
      : `${pending.length} changes come with the next start`;
  });
}

function isServed(place: Place): boolean {
  try {
    claimDataDir(place)();
    return false;
  } catch (error) {
    if (error instanceof DataDirTakenError) return true;
    throw error;
  }
}

async function onDatabase<Result>(place: Place, work: (database: Database) => Promise<Result>): Promise<Result> {
  const database = openDatabase(place);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
