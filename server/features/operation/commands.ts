import { statSync } from "node:fs";
import { resolve } from "node:path";

import { withDatabase } from "#server/db/connect.ts";
import { formatProgramLine } from "#server/features/game-servers/rules.ts";
import type { GameServerRow } from "#server/features/game-servers/store.ts";
import * as gameServerStore from "#server/features/game-servers/store.ts";
import type { RowCounts } from "#server/platform/backup/backup-file.ts";
import { namesInBackup, restoreBackup, writeBackup } from "#server/platform/backup/backup.ts";
import {
  type CommandWithoutDatabase,
  type CommandResult,
  CommandUsageError,
  formatCount,
} from "#server/platform/command.ts";
import { describeApi } from "#server/platform/http/openapi.ts";
import { rehearseRestore, runChecks, rotateSecret } from "./actions.ts";
import { recordBackup } from "./backup-store.ts";

export const commands: readonly CommandWithoutDatabase[] = [
  {
    name: "backup verify",
    usage: "FILE",
    description: "restores a backup into a scratch database beside it, and compares them",
    ignoresDataDirectory: true,
    argCount: { min: 1, max: 1 },
    async runWithoutDatabase({ config, clock, args: [file], tables }) {
      const given = { now: clock.now(), tables };
      const { text, ...result } = toResult(file!, await rehearseRestore(config, resolve(file!), given));
      return { ...result, text: `${text}, can be restored` };
    },
  },
  {
    name: "backup",
    usage: "FILE [--with-secrets]",
    description: "writes a backup; the server may be running",
    argCount: { min: 1, max: 1 },
    options: { "with-secrets": { type: "boolean" } },
    async runWithoutDatabase({ config, clock, args: [file], options, tables }) {
      const withSecrets = options["with-secrets"] === true;
      const [path, now] = [resolve(file!), clock.now()];
      const rows = await writeBackup(config, path, { now, withSecrets, tableNames: namesInBackup(tables) });
      // A backup is worth more than its record, which a full disk may refuse.
      await withDatabase(config, ({ db }) => recordBackup(db, statSync(path).size, now)).catch(() => {});
      return toResult(file!, rows);
    },
  },
  {
    name: "restore",
    usage: "FILE",
    description: "restores a backup into an empty installation, on SQLite or PostgreSQL",
    argCount: { min: 1, max: 1 },
    async runWithoutDatabase({ config, clock, args: [file], tables }) {
      const restored = toResult(file!, await restoreBackup(config, resolve(file!), { now: clock.now(), tables }));
      return withInactiveGameServers(
        restored,
        await withDatabase(config, ({ db }) => gameServerStore.listInactiveGameServers(db)),
      );
    },
  },
  {
    name: "doctor",
    description: "checks the installation and explains how to fix problems",
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
    description: "replaces a generated secret; takes effect at the next start",
    argCount: { min: 1, max: 1 },
    async runWithoutDatabase({ config, clock, args: [name] }) {
      const secret = secretNames[name as keyof typeof secretNames];
      if (!secret) throw new CommandUsageError(`Unknown secret. There are: ${Object.keys(secretNames).join(", ")}.`);
      await rotateSecret(config, secret, clock.now());
      return { json: { rotated: name }, text: `${name} was replaced. Restart the server to use the new one.` };
    },
  },
  {
    name: "openapi",
    description: "prints the OpenAPI document of the HTTP API",
    ignoresDataDirectory: true,
    async runWithoutDatabase({ config }) {
      const json = await describeApi(config.appUrl);
      return { json, text: JSON.stringify(json, null, 2) };
    },
  },
];

const secretNames = { "app-key": "appKey", realtime: "realtimeSecret", vapid: "vapid" } as const;

function toResult(file: string, rows: RowCounts): CommandResult & { readonly json: object } {
  const json = { bytes: statSync(file).size, beers: rows["beers"] ?? 0, users: rows["users"] ?? 0 };
  return {
    json,
    text: `${file}: ${json.bytes} bytes, ${formatCount(json.beers, "beer")}, ${formatCount(json.users, "user")}`,
  };
}

/** Adds the inactive game servers and their programs to the result of a restore. */
function withInactiveGameServers(
  { json, text }: CommandResult & { readonly json: object },
  rows: readonly GameServerRow[],
): CommandResult {
  if (rows.length === 0) return { json, text };
  const inactive_game_servers = rows.map(({ id, display_name, driver }) => ({ id, display_name, driver }));
  const note =
    "These game servers run programs and are inactive. Enable those that you know: stammtisch game-server enable ID";
  return { json: { ...json, inactive_game_servers }, text: [text, note, ...rows.map(formatProgramLine)].join("\n") };
}
