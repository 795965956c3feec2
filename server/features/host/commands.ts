import { statSync } from "node:fs";
import { resolve } from "node:path";

import { restoreBackup, writeBackup } from "#server/platform/backup/backup.ts";
import type { RowCounts } from "#server/platform/backup/backup-file.ts";
import type { BareCommand, CommandResult } from "#server/platform/command.ts";

export const hostCommands: readonly BareCommand[] = [
  {
    name: "backup",
    usage: "FILE [--with-secrets]",
    does: "writes everything worth keeping to a file, also while the server runs",
    words: { min: 1, max: 1 },
    options: { "with-secrets": { type: "boolean" } },
    async runBare({ config, clock, words: [file], options }) {
      const withSecrets = options["with-secrets"] === true;
      return tell(file!, await writeBackup(config, resolve(file!), { now: clock.now(), withSecrets }));
    },
  },
  {
    name: "restore",
    usage: "FILE",
    does: "fills an empty installation from a backup, on either database",
    words: { min: 1, max: 1 },
    async runBare({ config, clock, words: [file] }) {
      return tell(file!, await restoreBackup(config, resolve(file!), clock.now()));
    },
  },
];

function tell(file: string, rows: RowCounts): CommandResult {
  const json = { bytes: statSync(file).size, beers: rows["beers"] ?? 0, users: rows["users"] ?? 0 };
  return { json, text: `${file}: ${json.bytes} bytes, ${json.beers} beers, ${json.users} users` };
}
