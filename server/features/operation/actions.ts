import { keyOf } from "#server/config-schema.ts";
import { type Config, maskConfig } from "#server/config.ts";
import { inSnapshot } from "#server/db/backup-tables.ts";
import { type Database, type DataLocation, type Db, inTransaction, withDatabase } from "#server/db/connect.ts";
import { listAppliedMigrations, listPendingMigrations } from "#server/db/migrate.ts";
import { countLogins } from "#server/features/accounts/login-actions.ts";
import { findWrongCounts } from "#server/features/beers/recount-actions.ts";
import * as gameServerStore from "#server/features/game-servers/store.ts";
import * as notificationStore from "#server/features/notifications/store.ts";
import * as auditStore from "#server/platform/audit/store.ts";
import type { RowCounts } from "#server/platform/backup/backup-file.ts";
import { verifyBackup } from "#server/platform/backup/verify.ts";
import { CommandRefusedError, formatCount } from "#server/platform/command.ts";
import { checkAddress, checkProxy, checkServer, checkSockets } from "#server/platform/doctor/address.ts";
import { CheckFailure, runCheck, type CheckResult } from "#server/platform/doctor/check.ts";
import { checkDatabase, checkSchema } from "#server/platform/doctor/data.ts";
import { checkInstances } from "#server/platform/doctor/instances.ts";
import { checkClock, checkDisk, checkPermissions, checkTimeZone } from "#server/platform/doctor/machine.ts";
import { checkEngine, checkMail, checkOidc, checkPush } from "#server/platform/doctor/outside.ts";
import { describeLocalLinks } from "#server/platform/local-links.ts";
import {
  readSecrets,
  readUsedSecrets,
  withNewSecret,
  type SecretName,
  storeSecrets,
} from "#server/platform/security/secrets.ts";
import { assertDatabaseNotEmpty, assertDatabaseFileExists } from "#server/platform/storage/existing-database.ts";
import type { TablePolicies } from "#server/platform/table-policy.ts";
import { version } from "#server/version.ts";
import { isOverdue } from "./backup-rules.ts";
import { findBackupState } from "./backup-store.ts";

/** Changes nothing, so it may run while the server runs. */
export async function runChecks(config: Config, now: number): Promise<CheckResult[]> {
  const { dataDir } = config;
  const database = await runCheck("database", async () => checkDatabase(config, now));
  const server = await runCheck("server", async () => checkServer(config));
  const notServing = "skipped: the server does not answer";
  const address = await runCheck("address", async () => (server.ok ? checkAddress(config) : notServing));
  const isThere = server.ok && address.ok;
  const away = address.ok ? notServing : "skipped: APP_URL is not reachable";
  const noDatabase = "skipped: the database cannot be used";
  return [
    await runCheck("version", () => version),
    await runCheck("configuration", () => formatConfig(config)),
    await runCheck("variables", () => checkVariables(config)),
    await runCheck("node", () => process.version),
    await runCheck("clock", async () => checkClock(dataDir)),
    await runCheck("time-zone", () => checkTimeZone(config.timeZone)),
    await runCheck("disk", () => checkDisk(dataDir)),
    await runCheck("permissions", () => checkPermissions(dataDir)),
    database,
    await runCheck("schema", async () => (database.ok ? checkSchema(config) : noDatabase)),
    await runCheck("counts", async () => (database.ok ? checkCounts(config) : noDatabase)),
    await runCheck("backups", async () => (database.ok ? checkBackups(config, now) : noDatabase)),
    await runCheck("instances", async () =>
      database.ok
        ? withDatabase(config, async (open) =>
            (await isBehind(open.db)) ? "skipped: migrations are pending" : checkInstances(config, open),
          )
        : noDatabase,
    ),
    server,
    address,
    await runCheck("proxy", async () => (isThere ? checkProxy(config) : away)),
    await runCheck("sockets", async () => (isThere ? checkSockets(config) : away)),
    await runCheck("links", () => describeLocalLinks(config) ?? `lead to ${config.appUrl.origin}`),
    await runCheck("mail", async () => checkMail(config)),
    await runCheck("logins", async () => (database.ok ? checkLogins(config) : noDatabase)),
    await runCheck("oidc", async () => checkOidc(config)),
    await runCheck("push", async () =>
      database.ok
        ? checkPush(config, await withDatabase(config, async (open) => readUsedSecrets(open, config)))
        : noDatabase,
    ),
    await runCheck("engine", async () =>
      database.ok ? checkEngine(config, await withDatabase(config, needsEngine)) : noDatabase,
    ),
  ];
}

/** Fails for ignored variables, whose names are probably misspelt. */
function checkVariables({ misspeltVariables }: Config): string {
  if (misspeltVariables.length === 0) return "no name looks misspelt";
  const names = misspeltVariables.map(({ name, meant }) => `${name} has no effect: did you mean ${meant}?`);
  throw new CheckFailure(names.join(" "));
}

/** Masks secrets. */
function formatConfig(config: Config): string {
  return Object.entries(maskConfig(config))
    .map(([name, value]) => `${name}=${/\s/.test(value) ? JSON.stringify(value) : value}`)
    .join(" ");
}

/** Restores the backup into a scratch database, and compares its rows, and its stored counts with its beers. */
export async function rehearseRestore(
  config: Pick<Config, "timeZone">,
  file: string,
  given: { now: number; tables: TablePolicies },
): Promise<RowCounts> {
  return verifyBackup(file, given, async (place) => void (await checkCounts({ ...config, ...place })));
}

/** Compares the stored counts with the beers. */
async function checkCounts(config: DataLocation & Pick<Config, "timeZone">): Promise<string> {
  return withDatabase(config, (database) =>
    inSnapshot(database, async (db) => {
      if (await isBehind(db)) return "skipped: migrations are pending";
      const { wrong, beers } = await findWrongCounts(db, config);
      if (wrong.length === 0) return `those of ${formatCount(beers, "beer")}`;
      throw new CheckFailure(`Not those of the beers: ${wrong.join(", ")}. Run: stammtisch beers recount`);
    }),
  );
}

/** Fails after a week without a backup, unless the server makes none. */
async function checkBackups(config: Config, now: number): Promise<string> {
  const state = await withDatabase(config, ({ db }) => findBackupState(db, now));
  const { made_at, failure } = state;
  const newest = made_at === null ? "there is none yet" : `the newest is of ${new Date(made_at).toISOString()}`;
  const because = failure === null ? "" : ` The last attempt failed: ${failure}`;
  if (isOverdue(state, config.backupEvery, now))
    throw new CheckFailure(`For a week there was no backup; ${newest}.${because} Make one: stammtisch backup FILE`);
  if (config.backupEvery === "off") return `BACKUP_EVERY is off; ${newest}`;
  return `${config.backupEvery} in ${config.backupDir}; ${newest}.${because}`.replace(/\.$/, "");
}

/** Fails if enabled members have no way to log in. */
async function checkLogins(config: Config): Promise<string> {
  return withDatabase(config, async ({ db }) => {
    if (await isBehind(db)) return "skipped: migrations are pending";
    const { members, lockedOut } = await countLogins(db, config);
    if (lockedOut === 0) return `${formatCount(members, "member")} can log in`;
    const way = config.passwordLogin
      ? "Send each of them a link from: stammtisch user reset-link UNAME"
      : "Remove PASSWORD_LOGIN=0 until they have linked their accounts with the OpenID provider, or disable the accounts.";
    throw new CheckFailure(`${lockedOut} of ${formatCount(members, "member")} cannot log in. ${way}`);
  });
}

/** Returns `true` if tables and columns may still be missing. */
async function isBehind(db: Db): Promise<boolean> {
  return listPendingMigrations(await listAppliedMigrations(db)).length > 0;
}

async function needsEngine({ db }: Database): Promise<boolean> {
  if (await isBehind(db)) return false;
  return (await gameServerStore.listGameServers(db)).some(({ driver }) => driver === "docker");
}

/** Deletes all push subscriptions if the secret is the VAPID key. */
export async function rotateSecret(config: Config, name: SecretName, now: number): Promise<void> {
  const variable = ({ appKey: "APP_KEY", realtimeSecret: "REALTIME_SECRET", vapid: "VAPID_PRIVATE_KEY" } as const)[
    name
  ];
  if (config[keyOf(variable)] !== null)
    throw new CommandRefusedError(`${variable} is set and takes precedence over a generated secret. Change it there.`);
  assertDatabaseFileExists(config);
  await withDatabase(config, async (database) => {
    await assertDatabaseNotEmpty(database.db, config);
    const secrets = await readSecrets(database, config.dataDir);
    if (!secrets) throw new CommandRefusedError("There are no secrets yet; the first start creates them.");
    await inTransaction(database.db, async (tx) => {
      // Push services refuse pushes to old subscriptions that are signed with the new key.
      if (name === "vapid") await notificationStore.deleteSubscriptions(tx);
      await auditStore.createAuditEntry(tx, "secret-rotated", { secret: name }, { at: now, by: null });
      await storeSecrets(tx, database.kind, config.dataDir, withNewSecret(secrets, name, now));
    });
  });
}
