import { type Db, inTransaction } from "#server/db/connect.ts";
import * as settingsStore from "#server/platform/settings/store.ts";
import { type BackupState, parseState } from "./backup-rules.ts";

export async function findBackupState(db: Db, now: number): Promise<BackupState> {
  return parseState(await settingsStore.findSetting(db, "backups"), now);
}

export async function updateBackupState(db: Db, changes: Partial<BackupState>, now: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const state = parseState(await settingsStore.lockSetting(tx, "backups"), now);
    await settingsStore.writeSetting(tx, "backups", JSON.stringify({ ...state, ...changes }));
  });
}

export function recordBackup(db: Db, bytes: number, now: number): Promise<void> {
  return updateBackupState(db, { made_at: now, bytes, failure: null }, now);
}
