import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";

import type { getBackups } from "#contract/backups.ts";
import type { ReplyInputOf } from "#contract/endpoint.ts";
import { megabytes } from "#contract/sizes.ts";
import { certificateEnvironment } from "#server/config.ts";
import { hasMembers } from "#server/db/backup-tables.ts";
import { databaseFile } from "#server/db/connect.ts";
import { changeAsAdmin } from "#server/features/members/actions.ts";
import type { Actor } from "#server/platform/audit/store.ts";
import { namesInBackup } from "#server/platform/backup/backup.ts";
import type { Context } from "#server/platform/context.ts";
import type { CheckResult } from "#server/platform/doctor/check.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import { createWorkers } from "#server/platform/workers/worker-process.ts";
import { minutes, toIso } from "#server/time.ts";
import { isBackupDue, isOverdue, isVerificationDue, listSurplus, nameBackup } from "./backup-rules.ts";
import * as store from "./backup-store.ts";
import type { OperationJob, OperationReply } from "./operation-worker.ts";

type OperationContext = Pick<Context, "config" | "db" | "clock" | "tables" | "stopping">;

/** Thirty-six million beers take a quarter of an hour. */
const limitMs = minutes(60);
const withWorker = createWorkers<OperationJob, OperationReply>(
  join(import.meta.dirname, "operation-worker.ts"),
  megabytes(400),
  certificateEnvironment(),
);

type Work = OperationJob extends infer Job ? (Job extends unknown ? Omit<Job, "config" | "now"> : never) : never;

/** Throws an error with the sentence of the command line. */
async function work<Result>({ config, clock, stopping }: OperationContext, job: Work): Promise<Result> {
  const sent = { ...job, config: { ...config, appUrl: config.appUrl.href }, now: clock.now() } as OperationJob;
  const reply = await withWorker((ask) => ask(sent, limitMs), stopping);
  if (reply === null) throw new Error("It took too much time or memory.");
  if ("problem" in reply) throw new Error(reply.problem);
  return reply.result as Result;
}

export function runChecksInWorker(context: OperationContext): Promise<CheckResult[]> {
  return work(context, { kind: "doctor" });
}

export async function describeBackups({
  db,
  config: { backupEvery: every },
  clock,
}: OperationContext): Promise<ReplyInputOf<typeof getBackups>> {
  const state = await store.findBackupState(db, clock.now());
  const { made_at, bytes, verified_at, failure } = state;
  const is_overdue = isOverdue(state, every, clock.now());
  return { every, made_at: toIso(made_at), bytes, verified_at: toIso(verified_at), failure, is_overdue };
}

/** Writes a backup to BACKUP_DIR, and deletes the oldest ones above BACKUP_KEEP. */
async function writeNextBackup(context: OperationContext & Pick<Context, "log">): Promise<string> {
  const { db, config, clock, log, tables } = context;
  const { backupDir, backupKeep } = config;
  const now = clock.now();
  const file = join(backupDir, nameBackup(now, config.timeZone));
  try {
    mkdirSync(backupDir, { recursive: true, mode: 0o700 });
    assertSpace(config, (await store.findBackupState(db, now)).bytes);
    await work(context, { kind: "backup", file, withSecrets: false, tableNames: namesInBackup(tables) });
    for (const name of listSurplus(readdirSync(backupDir), backupKeep)) rmSync(join(backupDir, name), { force: true });
    const { size } = statSync(file);
    await store.recordBackup(db, size, now);
    log.info("backup-made", { bytes: size });
    return file;
  } catch (error) {
    await recordFailure(context, "backup-failed", error as Error);
    throw error;
  }
}

async function recordFailure(
  { db, clock, log, stopping }: OperationContext & Pick<Context, "log">,
  event: "backup-failed" | "backup-not-restorable",
  { message: failure }: Error,
): Promise<void> {
  // A server that stops ends its backup; the next start makes one.
  if (stopping.aborted) return;
  log.warn(event, { reason: failure });
  await store.updateBackupState(db, { failure }, clock.now());
}

export async function makeBackup(context: OperationContext & Pick<Context, "log">): Promise<void> {
  await writeNextBackup(context).catch(toRefusal);
}

function toRefusal(): never {
  throw refuse("backupFailed");
}

/** A backup is smaller than its database, and rarely twice as large as the last backup. */
function assertSpace({ backupDir, dataDir, databaseUrl }: Context["config"], lastBytes: number | null): void {
  const { bavail, bsize } = statfsSync(backupDir);
  const size = lastBytes ?? (databaseUrl ? 0 : statSync(databaseFile(dataDir)).size);
  const [free, needed] = [bavail * bsize, 2 * size + megabytes(16)].map((bytes) => Math.ceil(bytes / megabytes(1)));
  if (free! < needed!)
    throw new Error(
      `${backupDir} has only ${free} MB left, and a backup needs ${needed}. Free some, or lower BACKUP_KEEP.`,
    );
}

/** Once a week, also restores the new backup for a test. Does nothing while the group has no member. */
export async function makeBackupIfDue(context: OperationContext & Pick<Context, "log">): Promise<void> {
  const { db, config, clock, tables } = context;
  const now = clock.now();
  const state = await store.findBackupState(db, now);
  if (state.made_at === null && state.since === now) await store.updateBackupState(db, {}, now);
  if (!isBackupDue(state, config.backupEvery, now, config.timeZone) || !(await hasMembers(db))) return;
  const file = await writeNextBackup(context).catch(() => null);
  if (file === null || !isVerificationDue(state, now)) return;
  try {
    const policies = Object.fromEntries(Object.entries(tables).map(([name, { backup }]) => [name, { backup }]));
    await work(context, { kind: "verify", file, tables: policies });
    await store.updateBackupState(db, { verified_at: clock.now() }, now);
  } catch (error) {
    await recordFailure(context, "backup-not-restorable", error as Error);
  }
}

/** Makes a backup whose file ends with the reply. */
export async function downloadBackup(
  context: OperationContext & Pick<Context, "log" | "say">,
  withSecrets: boolean,
  by: Actor,
): Promise<Readable> {
  const { config, tables } = context;
  const file = join(config.dataDir, `download.${randomUUID()}.tmp`);
  try {
    const tableNames = namesInBackup(tables, { hasSecrets: withSecrets });
    await work(context, { kind: "backup", file, withSecrets, tableNames }).catch(async (error: Error) => {
      await recordFailure(context, "backup-failed", error);
      return toRefusal();
    });
    await changeAsAdmin(context, by, (_, say) => say.audit("backup-downloaded", { withSecrets }));
    return (await open(file)).createReadStream();
  } finally {
    await rm(file, { force: true });
  }
}
