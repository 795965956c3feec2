import { rmSync } from "node:fs";
import { join } from "node:path";

import { createDataDirectory } from "#server/db/connect.ts";
import { countUsers } from "#server/features/members/store.ts";
import type { Context } from "#server/platform/context.ts";
import { writeFileDurably } from "#server/platform/security/secrets.ts";
import { openFirstInvitation } from "./actions.ts";

/**
 * While no member exists, prints the link of an invitation with all permissions on stdout and
 * writes it to `DATA_DIR/first-invitation.txt` (0600). Otherwise deletes the file.
 */
export async function onListen(context: Context): Promise<void> {
  const { dataDir } = context.config;
  const file = join(dataDir, "first-invitation.txt");
  if ((await countUsers(context.db)) > 0) {
    rmSync(file, { force: true });
    return;
  }
  const url = await openFirstInvitation(context);
  createDataDirectory(dataDir);
  writeFileDurably(file, `${url}\n`);
  process.stdout.write(
    `Einladung für die Verwaltung, 7 Tage gültig (invitation for the administrator, 7 days): ${url}\n`,
  );
}
