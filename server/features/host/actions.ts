import { type Config, maskConfig } from "#server/config.ts";
import { type Database, inTransaction, openDatabase } from "#server/db/connect.ts";
import { listAppliedMigrations, listPendingMigrations } from "#server/db/migrate.ts";
import { listGameServers } from "#server/features/game-servers/store.ts";
import { deleteSubscriptions } from "#server/features/notifications/store.ts";
import { isServerRunning, checkAddress, checkProxy, checkSockets } from "#server/platform/doctor/address.ts";
import { runCheck, type CheckResult } from "#server/platform/doctor/check.ts";
import { checkDatabase, checkSchema } from "#server/platform/doctor/data.ts";
import { checkClock, checkDisk, checkPermissions, checkTimeZone } from "#server/platform/doctor/machine.ts";
import { checkEngine, checkMail, checkPush } from "#server/platform/doctor/outside.ts";
import { assertDatabaseNotEmpty, assertDatabaseFileExists } from "#server/platform/existing-database.ts";
import { createAuditEntry } from "#server/platform/audit/store.ts";
import { readSecrets, withNewSecret, type Secrets, storeSecrets } from "#server/platform/secrets.ts";

/** Looks at everything that goes wrong in practice. Changes nothing and may run beside the server. */
export async function runChecks(config: Config, now: number): Promise<CheckResult[]> {
  const { dataDir } = config;
  const database = await runCheck("database", async () => checkDatabase(config, now));
  const isRunning = await isServerRunning(config);
  const address = await runCheck("address", async () =>
    isRunning ? checkAddress(config) : describeNotServing(config),
  );
  const isThere = isRunning && address.ok;
  const away = address.ok ? describeNotServing(config) : "not looked at: the address leads nowhere";
  return [
    await runCheck("configuration", () => formatConfig(config)),
    await runCheck("node", () => process.version),
    await runCheck("clock", async () => checkClock(dataDir)),
    await runCheck("time-zone", () => checkTimeZone(config.timeZone)),
    await runCheck("disk", () => checkDisk(dataDir)),
    await runCheck("permissions", () => checkPermissions(dataDir)),
    database,
    await runCheck("schema", async () =>
      database.ok ? checkSchema(config) : "not looked at: there are no data to read",
    ),
    address,
    await runCheck("proxy", async () => (isThere ? checkProxy(config) : away)),
    await runCheck("sockets", async () => (isThere ? checkSockets(config) : away)),
    await runCheck("mail", async () => checkMail(config)),
    await runCheck("push", async () =>
      checkPush(config, database.ok ? await withDatabase(config, async (open) => readSecrets(open, dataDir)) : null),
    ),
    await runCheck("engine", async () => checkEngine(config, database.ok && (await withDatabase(config, needsEngine)))),
  ];
}

function describeNotServing({ host, port }: Config): string {
  return `not looked at: no server answers on ${host}:${port}`;
}

/** What the variables come to, secrets masked. */
function formatConfig(config: Config): string {
  return Object.entries(maskConfig(config))
    .map(([name, value]) => `${name}=${/\s/.test(value) ? JSON.stringify(value) : value}`)
    .join(" ");
}

/** Data of an earlier version may lack the table. */
async function needsEngine({ db }: Database): Promise<boolean> {
  if (listPendingMigrations(await listAppliedMigrations(db)).length > 0) return false;
  return (await listGameServers(db)).some(({ driver }) => driver === "docker");
}

async function withDatabase<Result>(config: Config, work: (database: Database) => Promise<Result>): Promise<Result> {
  const database = openDatabase(config);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Makes one secret anew; false where none have been made yet. What depends on the old one goes with it. */
export async function rotateSecret(config: Config, name: keyof Secrets, now: number): Promise<boolean> {
  assertDatabaseFileExists(config);
  return withDatabase(config, async (database) => {
    await assertDatabaseNotEmpty(database.db, config);
    const secrets = await readSecrets(database, config.dataDir);
    if (!secrets) return false;
    await inTransaction(database.db, async (tx) => {
      // Browsers subscribed under the old key; their push services take nothing that another has signed.
      if (name === "vapid") await deleteSubscriptions(tx);
      await createAuditEntry(tx, "secret-rotated", { secret: name }, { at: now, by: null });
      await storeSecrets(tx, database.kind, config.dataDir, withNewSecret(secrets, name));
    });
    return true;
  });
}
