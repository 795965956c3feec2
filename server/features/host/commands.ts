import { statSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { resolve } from "node:path";

import { restoreBackup, writeBackup } from "#server/platform/backup/backup.ts";
import type { RowCounts } from "#server/platform/backup/backup-file.ts";
import {
  type CommandWithoutDatabase,
  type CommandResult,
  CommandRefusedError,
  CommandUsageError,
} from "#server/platform/command.ts";
import { runChecks, rotateSecret } from "./actions.ts";

export const hostCommands: readonly CommandWithoutDatabase[] = [
  {
    name: "backup",
    usage: "FILE [--with-secrets]",
    description: "writes everything worth keeping to a file, also while the server runs",
    argCount: { min: 1, max: 1 },
    options: { "with-secrets": { type: "boolean" } },
    async runWithoutDatabase({ config, clock, args: [file], options, tables }) {
      // Whoever taps a beer meanwhile goes first.
      setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
      const withSecrets = options["with-secrets"] === true;
      return toResult(file!, await writeBackup(config, resolve(file!), { now: clock.now(), withSecrets, tables }));
    },
  },
  {
    name: "restore",
    usage: "FILE",
    description: "fills an empty installation from a backup, on either database",
    argCount: { min: 1, max: 1 },
    async runWithoutDatabase({ config, clock, args: [file], tables }) {
      return toResult(file!, await restoreBackup(config, resolve(file!), { now: clock.now(), tables }));
    },
  },
  {
    name: "doctor",
    usage: "",
    description: "looks for what goes wrong in practice, and says what to do about it",
    argCount: { min: 0, max: 0 },
    async runWithoutDatabase({ config, clock }) {
      const checks = await runChecks(config, clock.now());
      const ok = checks.every((one) => one.ok);
      const lines = checks.map(({ name, ok: isFine, detail }) => `${isFine ? "✓" : "✗"} ${name}: ${detail}`);
      return { json: { ok, checks }, text: lines.join("\n"), isFailure: !ok };
    },
  },
  {
    name: "secrets rotate",
    usage: "app-key|realtime|vapid",
    description: "makes a secret anew; the server uses it from its next start on",
    argCount: { min: 1, max: 1 },
    async runWithoutDatabase({ config, clock, args: [name] }) {
      const secret = secretNames[name as keyof typeof secretNames];
      if (!secret) throw new CommandUsageError(`There are: ${Object.keys(secretNames).join(", ")}.`);
      if (!(await rotateSecret(config, secret, clock.now())))
        throw new CommandRefusedError("There are no secrets yet; the first start makes them.");
      return { json: { rotated: name }, text: `${name} is new. Restart the server to use it.` };
    },
  },
];

const secretNames = { "app-key": "appKey", realtime: "realtimeSecret", vapid: "vapid" } as const;

function toResult(file: string, rows: RowCounts): CommandResult {
  const json = { bytes: statSync(file).size, beers: rows["beers"] ?? 0, users: rows["users"] ?? 0 };
  return { json, text: `${file}: ${json.bytes} bytes, ${json.beers} beers, ${json.users} users` };
}
