// Long work that would hold up the requests of members: backups, rehearsed restores, and the checks of `doctor`.
import { constants, setPriority } from "node:os";

import type { Config } from "#server/config.ts";
import type { RowCounts } from "#server/platform/backup/backup-file.ts";
import { writeBackup } from "#server/platform/backup/backup.ts";
import type { CheckResult } from "#server/platform/doctor/check.ts";
import type { TablePolicies } from "#server/platform/table-policy.ts";
import { answerJobs } from "#server/platform/workers/answer-jobs.ts";
import { rehearseRestore, runChecks } from "./actions.ts";

/** A URL cannot be sent to another process. */
export type SentConfig = Omit<Config, "appUrl"> & { readonly appUrl: string };

export type OperationJob = { readonly config: SentConfig; readonly now: number } & (
  | { readonly kind: "backup"; readonly file: string; readonly withSecrets: boolean; readonly tableNames: string[] }
  | { readonly kind: "verify"; readonly file: string; readonly tables: TablePolicies }
  | { readonly kind: "doctor" }
);

/** `problem` is the sentence that the command line would print. */
export type OperationReply = { readonly result: RowCounts | CheckResult[] } | { readonly problem: string };

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

answerJobs(async (job: OperationJob): Promise<OperationReply> => {
  const config = { ...job.config, appUrl: new URL(job.config.appUrl) };
  try {
    return { result: await perform(job, config) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
});

function perform(job: OperationJob, config: Config): Promise<RowCounts | CheckResult[]> {
  if (job.kind === "backup") return writeBackup(config, job.file, job);
  return job.kind === "verify" ? rehearseRestore(config, job.file, job) : runChecks(config, job.now);
}
