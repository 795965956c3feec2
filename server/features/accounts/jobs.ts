import { rmSync } from "node:fs";
import { join } from "node:path";

import { createDataDirectory } from "#server/db/connect.ts";
import * as memberStore from "#server/features/members/store.ts";
import type { Context } from "#server/platform/context.ts";
import type { Job } from "#server/platform/feature.ts";
import * as limitsStore from "#server/platform/limits/store.ts";
import { writeFileDurably } from "#server/platform/security/secrets.ts";
import { days, hours, minutes } from "#server/time.ts";
import { deletePersonalRows } from "./account-actions.ts";
import * as eventStore from "./event-store.ts";
import { openFirstInvitation } from "./invitation-actions.ts";
import { checkGroups, sealGrantsAgain } from "./oidc-end-actions.ts";
import * as oidcStore from "./oidc-store.ts";
import * as passkeyStore from "./passkey-store.ts";
import * as resetStore from "./reset-store.ts";
import * as throttleStore from "./throttle-store.ts";

export const jobs: readonly Job[] = [
  {
    name: "delete forgotten devices and old attempts",
    interval: minutes(10),
    async run({ db, clock }) {
      await throttleStore.deleteExpiredKnownDevices(db, clock.now());
      await limitsStore.deleteOldAttempts(db, clock.monotonic());
    },
  },
  {
    name: "delete expired passkey challenges",
    interval: minutes(10),
    run: ({ db, clock }) => passkeyStore.deleteExpiredChallenges(db, clock.now()),
  },
  {
    name: "delete expired OpenID requests",
    interval: minutes(10),
    run: ({ db, clock }) => oidcStore.deleteExpired(db, clock.now()),
  },
  { name: "seal refresh tokens with a rotated key", atStart: true, run: sealGrantsAgain },
  {
    name: "look at the groups of the OpenID provider again",
    interval: hours(1),
    run: checkGroups,
  },
  {
    name: "delete expired reset links",
    interval: minutes(10),
    run: ({ db, clock }) => resetStore.deleteExpiredResetTokens(db, clock.now()),
  },
  {
    name: "delete old account events",
    interval: hours(1),
    run: ({ db, clock }) => eventStore.deleteOldAccountEvents(db, clock.now() - days(90)),
  },
  {
    name: "delete what was written while its account was being deleted",
    interval: hours(1),
    run: ({ db, tables }) => deletePersonalRows(db, tables),
  },
];

/** While no member exists, prints an invitation with all permissions and writes it to a file (0600). */
export async function onListen(context: Context): Promise<void> {
  const { dataDir } = context.config;
  const file = join(dataDir, "first-invitation.txt");
  if ((await memberStore.countUsers(context.db)) > 0) {
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
