import { createECDH, randomBytes, randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import * as z from "zod/mini";

import type { Config } from "#server/config.ts";
import type { Database, DatabaseKind, Db } from "#server/db/connect.ts";
import { UnusableDataError } from "#server/operator-error.ts";
import * as settingsStore from "#server/platform/settings/store.ts";
import { syncFolder } from "#server/sync-folder.ts";
import { hours } from "#server/time.ts";

/** Open pages, and instances that were started before a rotation, still use the previous secret. */
export const previousSecretFor = hours(1);

/** Secret that is accepted until `until` (epoch ms). */
const previousSecretSchema = z.optional(z.object({ secret: z.string(), until: z.number() }));

/** Earlier versions ignore fields that they do not know. */
export const secretsSchema = z.object({
  /** Signs CSRF tokens. */
  appKey: z.string(),
  /** Signs the subscriptions of WebSockets to channels. */
  realtimeSecret: z.string(),
  /** Identifies this server to push services; P-256, base64url. */
  vapid: z.object({ publicKey: z.string(), privateKey: z.string() }),
  previous: z.optional(z.object({ appKey: previousSecretSchema, realtimeSecret: previousSecretSchema })),
});
export type Secrets = z.output<typeof secretsSchema>;
export type SecretName = Exclude<keyof Secrets, "previous">;

/**
 * Generates the secrets at the first start. They are in `DATA_DIR/secrets.json`, or with PostgreSQL in the database,
 * because instances share nothing else.
 */
export async function loadSecrets({ db, kind }: Database, dataDir: string): Promise<Secrets> {
  return kind === "postgres" ? loadFromDatabase(db) : loadFromFile(secretsFile(dataDir));
}

export function secretsFile(dataDir: string): string {
  return join(dataDir, "secrets.json");
}

/** `undefined` if none have been generated yet. */
export async function readSecrets({ db, kind }: Database, dataDir: string): Promise<Secrets | undefined> {
  if (kind === "sqlite") return existsSync(secretsFile(dataDir)) ? loadFromFile(secretsFile(dataDir)) : undefined;
  const stored = await settingsStore.findSetting(db, "secrets");
  return stored === undefined ? undefined : secretsSchema.parse(JSON.parse(stored));
}

export function withConfiguredSecrets(stored: Secrets, config: Config): Secrets {
  const { appKey, realtimeSecret, vapidPrivateKey: privateKey, vapidPublicKey: publicKey } = config;
  return {
    ...stored,
    appKey: appKey ?? stored.appKey,
    realtimeSecret: realtimeSecret ?? stored.realtimeSecret,
    vapid: privateKey && publicKey ? { privateKey, publicKey } : stored.vapid,
  };
}

/** `undefined` if none have been generated yet. */
export async function readUsedSecrets(database: Database, config: Config): Promise<Secrets | undefined> {
  const stored = await readSecrets(database, config.dataDir);
  return stored && withConfiguredSecrets(stored, config);
}

/** Keeps the previous secret for an hour, except a `vapid` key pair, to which push subscriptions are bound. */
export function withNewSecret(secrets: Secrets, name: SecretName, now: number): Secrets {
  const renewed = { ...secrets, [name]: generateSecrets()[name] };
  if (name === "vapid") return renewed;
  const replaced = { secret: secrets[name], until: now + previousSecretFor };
  return { ...renewed, previous: { ...secrets.previous, [name]: replaced } };
}

export async function storeSecrets(tx: Db, kind: DatabaseKind, dataDir: string, secrets: Secrets): Promise<void> {
  if (kind === "postgres") await settingsStore.writeSetting(tx, "secrets", JSON.stringify(secrets));
  else writeFileDurably(secretsFile(dataDir), JSON.stringify(secrets, null, 2));
}

async function loadFromDatabase(db: Database["db"]): Promise<Secrets> {
  const stored = await settingsStore.getOrCreateSetting(db, "secrets", JSON.stringify(generateSecrets()));
  return secretsSchema.parse(JSON.parse(stored));
}

function loadFromFile(file: string): Secrets {
  if (!existsSync(file)) writeFileDurably(file, JSON.stringify(generateSecrets(), null, 2));
  if ((statSync(file).mode & 0o077) !== 0)
    throw new UnusableDataError(`DATA_DIR: ${file} can be read by others. Run: chmod 600 ${file}`);
  const text = readFileSync(file, "utf8");
  try {
    return secretsSchema.parse(JSON.parse(text));
  } catch {
    throw new UnusableDataError(
      `DATA_DIR: ${file} is damaged. Delete it; the next start creates new secrets, and each member gets notifications again after opening the app.`,
    );
  }
}

/**
 * The file is complete even after a kill or power cut. The temporary name is random, since two instances with the same
 * DATA_DIR may write the file at the same time.
 */
export function writeFileDurably(file: string, text: string): void {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600, flush: true });
    renameSync(temporary, file);
    syncFolder(dirname(file));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

export function generateSecrets(): Secrets {
  const keys = createECDH("prime256v1");
  keys.generateKeys();
  return {
    appKey: randomBytes(32).toString("base64url"),
    realtimeSecret: randomBytes(32).toString("base64url"),
    vapid: {
      publicKey: keys.getPublicKey("base64url"),
      // Node drops leading zero bytes, but push services expect 32 bytes.
      privateKey: Buffer.concat([Buffer.alloc(32), keys.getPrivateKey()])
        .subarray(-32)
        .toString("base64url"),
    },
  };
}
