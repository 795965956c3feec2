import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

import { invitationDays } from "#contract/admin-invitations.ts";
import { permissions } from "#contract/endpoint.ts";
import { countUsers } from "#server/features/members/store.ts";
import { sha256 } from "#server/platform/http/session-cookies.ts";
import type { Context } from "#server/platform/context.ts";
import { writeFileDurably } from "#server/platform/secrets.ts";
import { createInvitation } from "./actions.ts";
import { normalizeToken } from "./rules.ts";
import { isInvitationUsable } from "./store.ts";

/**
 * While there is no member: prints an invitation link with all permissions on stdout and writes it to
 * `DATA_DIR/first-invitation.txt` (0600). After a restart it is the same link, as long as it is valid.
 */
export async function createFirstInvitation({ db, config, clock }: Context): Promise<void> {
  const file = join(config.dataDir, "first-invitation.txt");
  if ((await countUsers(db)) > 0) {
    rmSync(file, { force: true });
    return;
  }
  let url = existsSync(file) ? readFileSync(file, "utf8").trim() : null;
  const token = url && URL.canParse(url) ? new URL(url).searchParams.get("token") : null;
  if (token === null || !(await isInvitationUsable(db, sha256(normalizeToken(token)), clock.now()))) {
    ({ url } = await createInvitation(
      { db, config, clock },
      { permissions, days: invitationDays.usual, uses: 1, createdBy: null },
    ));
    mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
    writeFileDurably(file, `${url}\n`);
  }
  process.stdout.write(`Einladung für die Verwaltung (7 Tage gültig): ${url}\n`);
}
