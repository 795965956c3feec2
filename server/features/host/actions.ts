import { type Config, maskedConfig } from "#server/config.ts";
import { type Database, inTransaction, openDatabase } from "#server/db/connect.ts";
import { appliedMigrations, pendingMigrations } from "#server/db/migrate.ts";
import { listRows } from "#server/features/game-servers/store.ts";
import { deleteSubscriptions } from "#server/features/notifications/store.ts";
import { isServing, lookAtAddress, lookAtProxy, lookAtSockets } from "#server/platform/doctor/address.ts";
import { check, type Check } from "#server/platform/doctor/check.ts";
import { lookAtDatabase, lookAtSchema } from "#server/platform/doctor/data.ts";
import { lookAtClock, lookAtDisk, lookAtPermissions, lookAtTimeZone } from "#server/platform/doctor/machine.ts";
import { lookAtEngine, lookAtMail, lookAtPush } from "#server/platform/doctor/outside.ts";
import { refuseEmptyDatabase, refuseMissingFile } from "#server/platform/existing-database.ts";
import { recordAction } from "#server/platform/audit/store.ts";
import { readSecrets, rotate, type Secrets, storeSecrets } from "#server/platform/secrets.ts";

/** Looks at everything that goes wrong in practice. Changes nothing and may run beside the server. */
export async function examine(config: Config, now: number): Promise<Check[]> {
  const { dataDir } = config;
  const database = await check("database", async () => lookAtDatabase(config, now));
  const isRunning = await isServing(config);
  const address = await check("address", async () => (isRunning ? lookAtAddress(config) : notServing(config)));
  const isThere = isRunning && address.ok;
  const away = address.ok ? notServing(config) : "not looked at: the address leads nowhere";
  return [
    await check("configuration", () => effective(config)),
    await check("node", () => process.version),
    await check("clock", async () => lookAtClock(dataDir)),
    await check("time-zone", () => lookAtTimeZone(config.timeZone)),
    await check("disk", () => lookAtDisk(dataDir)),
    await check("permissions", () => lookAtPermissions(dataDir)),
    database,
    await check("schema", async () =>
      database.ok ? lookAtSchema(config) : "not looked at: there are no data to read",
    ),
    address,
    await check("proxy", async () => (isThere ? lookAtProxy(config) : away)),
    await check("sockets", async () => (isThere ? lookAtSockets(config) : away)),
    await check("mail", async () => lookAtMail(config)),
    await check("push", async () =>
      lookAtPush(config, database.ok ? await onDatabase(config, async (open) => readSecrets(open, dataDir)) : null),
    ),
    await check("engine", async () => lookAtEngine(config, database.ok && (await onDatabase(config, needsEngine)))),
  ];
}

function notServing({ host, port }: Config): string {
  return `not looked at: no server answers on ${host}:${port}`;
}

/** What the variables come to, secrets masked. */
function effective(config: Config): string {
  return Object.entries(maskedConfig(config))
    .map(([name, value]) => `${name}=${/\s/.test(value) ? JSON.stringify(value) : value}`)
    .join(" ");
}

/** Data of an earlier version may lack the table. */
async function needsEngine({ db }: Database): Promise<boolean> {
  if (pendingMigrations(await appliedMigrations(db)).length > 0) return false;
  return (await listRows(db)).some(({ driver }) => driver === "docker");
}

async function onDatabase<Result>(config: Config, work: (database: Database) => Promise<Result>): Promise<Result> {
  const database = openDatabase(config);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Makes one secret anew; false where none have been made yet. What depends on the old one goes with it. */
export async function rotateSecret(config: Config, name: keyof Secrets, now: number): Promise<boolean> {
  refuseMissingFile(config);
  return onDatabase(config, async (database) => {
    await refuseEmptyDatabase(database.db, config);
    const secrets = await readSecrets(database, config.dataDir);
    if (!secrets) return false;
    await inTransaction(database.db, async (tx) => {
      // Browsers subscribed under the old key; their push services take nothing that another has signed.
      if (name === "vapid") await deleteSubscriptions(tx);
      await recordAction(tx, "secret-rotated", { secret: name }, { at: now, by: null });
      await storeSecrets(tx, database.kind, config.dataDir, rotate(secrets, name));
    });
    return true;
  });
}
