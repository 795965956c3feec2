import * as backups from "#contract/backups.ts";
import { runDoctor } from "#contract/doctor.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { describeBackups, downloadBackup, makeBackup, runChecksInWorker } from "./backup-actions.ts";
import { nameBackup } from "./backup-rules.ts";

export function addBackupRoutes(context: Context): void {
  const { http, clock, config } = context;
  handle(http, backups.getBackups, () => describeBackups(context));
  handle(http, backups.makeBackup, () => makeBackup(context));
  handle(http, backups.downloadBackup, async ({ member, body, reply }) => {
    const file = await downloadBackup(context, body.with_secrets, member.id);
    reply.header("content-disposition", `attachment; filename="${nameBackup(clock.now(), config.timeZone)}"`);
    return file;
  });
  handle(http, runDoctor, async () => ({ checks: await runChecksInWorker(context) }));
}
