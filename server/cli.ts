import { parseArgs } from "node:util";

import { addEnvironmentFile, type Config, ConfigError, readConfig } from "./config.ts";
import { openDatabase } from "./db/connect.ts";
import { DamagedDatabaseError } from "./db/inspect.ts";
import { NewerSchemaError } from "./db/migrate.ts";
import { NoRoomForCopyError, upgrade } from "./db/upgrade.ts";
import { adminCommands } from "./features/admin/commands.ts";
import { beercounterCommands } from "./features/beercounter/commands.ts";
import { christmasCalendarCommands } from "./features/christmas-calendar/commands.ts";
import { demoCommands } from "./features/demo/commands.ts";
import { gameServerCommands } from "./features/game-servers/commands.ts";
import { engineFilterCommands } from "./features/game-servers/drivers/engine-filter-command.ts";
import { hostCommands } from "./features/host/commands.ts";
import { invitationCommands } from "./features/invitations/commands.ts";
import { DataDirTakenError, refuseUnsoundData, UnwritableDataDirError } from "./platform/claim.ts";
import { systemClock } from "./platform/clock.ts";
import {
  type BareCommand,
  type Command,
  type CommandContext,
  type CommandResult,
  CommandRefusedError,
  CommandUsageError,
} from "./platform/command.ts";
import { actAsOwner } from "./platform/data-owner.ts";
import { NoDatabaseError, refuseEmptyDatabase, refuseMissingFile } from "./platform/existing-database.ts";
import { openLog } from "./platform/log.ts";
import { openBus } from "./platform/realtime/connect.ts";
import { ExposedSecretsError } from "./platform/secrets.ts";

/** Every command but `serve`. */
export const commands: readonly (Command | BareCommand)[] = [
  ...invitationCommands,
  ...adminCommands,
  ...beercounterCommands,
  ...christmasCalendarCommands,
  ...gameServerCommands,
  ...demoCommands,
  ...hostCommands,
  ...engineFilterCommands,
  {
    name: "migrate",
    usage: "",
    does: "brings the database up to date",
    words: { min: 0, max: 0 },
    createsDatabase: true,
    run: async ({ migrated }) => ({ json: { applied: migrated }, text: migrated.join("\n") || "up to date" }),
  },
];

const exit = { done: 0, refused: 1, usage: 2, config: 78 } as const;

/**
 * Runs one command line (without program and script name) and returns the exit code. `beforeServing` builds what is stale,
 * once it is clear that the configuration is good.
 */
export async function run(words: readonly string[], beforeServing: () => void = () => {}): Promise<number> {
  try {
    if (words.length === 0 || words.includes("--help") || words[0] === "help") {
      process.stdout.write(help());
      return words.length === 0 ? exit.usage : exit.done;
    }
    addEnvironmentFile();
    if (words[0] === "serve") {
      if (words.length > 1)
        throw new CommandUsageError("serve takes no arguments; it is configured by environment variables.");
      const config = readConfig();
      beforeServing();
      const { serve } = await import("./main.ts");
      return await serve(config);
    }
    return await runCommand(findCommand(words), words);
  } catch (error) {
    return report(error);
  }
}

function findCommand(words: readonly string[]): Command | BareCommand {
  const command = commands.find(({ name }) => name.split(" ").every((word, index) => words[index] === word));
  if (!command) throw new CommandUsageError(`Unknown command “${words.slice(0, 2).join(" ")}”. See: stammtisch help`);
  return command;
}

async function runCommand(command: Command | BareCommand, words: readonly string[]): Promise<number> {
  const { values: options, positionals } = parse(command, words.slice(command.name.split(" ").length));
  const given = { config: readConfig(), clock: systemClock, words: positionals, options };
  if (!command.needsNoData) actAsOwner(given.config.dataDir);
  const { json, text, isRefused } =
    "runBare" in command ? await command.runBare(given) : await runOnDatabase(command, given);
  await print(options["json"] ? JSON.stringify(json) : text);
  return isRefused ? exit.refused : exit.done;
}

async function runOnDatabase(
  command: Command,
  given: Pick<CommandContext, "config" | "clock" | "words" | "options">,
): Promise<CommandResult> {
  if (!command.createsDatabase) refuseMissingFile(given.config);
  refuseUnsoundData(given.config);
  const database = openDatabase(given.config);
  try {
    if (!command.createsDatabase) await refuseEmptyDatabase(database.db, given.config);
    const migrated = await upgrade(database, given.config.dataDir, given.clock.now());
    const result = await command.run({ ...given, database, db: database.db, migrated });
    await announce(given.config, database);
    return result;
  } finally {
    await database.close();
  }
}

function parse({ name, usage, options, words }: Command | BareCommand, args: readonly string[]) {
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options: { ...options, json: { type: "boolean" } }, allowPositionals: true });
  } catch (error) {
    throw new CommandUsageError(`${(error as Error).message.split(".")[0]}. Usage: stammtisch ${name} ${usage}`);
  }
  const { length } = parsed.positionals;
  if (length < words.min || length > words.max)
    throw new CommandUsageError(`Usage: stammtisch ${name} ${usage}`.trimEnd());
  return parsed;
}

/** Running instances on PostgreSQL look again at once; on SQLite the server sees the write by itself. */
async function announce(config: Config, database: ReturnType<typeof openDatabase>): Promise<void> {
  if (database.kind !== "postgres") return;
  const bus = openBus(config, database, openLog(config.logLevel));
  await bus.send({ kind: "resync" });
  await bus.close();
}

/** Resolves when the text has left the process, however long it is. */
function print(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(text === "" ? "" : `${text}\n`, () => resolve()));
}

function report(error: unknown): number {
  if (error instanceof ConfigError) return fail(error, exit.config);
  if (error instanceof CommandUsageError) return fail(error, exit.usage);
  const isExpected =
    error instanceof CommandRefusedError ||
    error instanceof NoDatabaseError ||
    error instanceof NewerSchemaError ||
    error instanceof DamagedDatabaseError ||
    error instanceof NoRoomForCopyError ||
    error instanceof UnwritableDataDirError ||
    error instanceof DataDirTakenError ||
    error instanceof ExposedSecretsError;
  if (isExpected) return fail(error, exit.refused);
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") return fail(new Error("PORT: something else is already listening there."), exit.refused);
  if (code !== undefined) return fail(new Error(`${code}: ${message}`), exit.refused);
  throw error;
}

function fail(error: Error, code: number): number {
  process.stderr.write(`${error.message.replaceAll(/\p{Cc}+/gu, " ")}\n`);
  return code;
}

const widestUsage = 60;
const widestLine = 100;

function help(): string {
  const serve = ["  serve", "serves the app until it is stopped"] as const;
  const lines = [serve, ...commands.map(({ name, usage, does }) => [`  ${name} ${usage}`.trimEnd(), does] as const)];
  const width = Math.max(...lines.map(([left]) => left.length).filter((length) => length <= widestUsage)) + 2;
  return [
    "stammtisch COMMAND [--json]",
    "",
    ...lines.map(([left, does]) =>
      left.length <= widestUsage ? left.padEnd(width) + does : `${fold(left)}\n${" ".repeat(width)}${does}`,
    ),
    "",
    "Settings are environment variables; STAMMTISCH_ENV_FILE names a file with more of them, one NAME=value a line.",
    "",
  ].join("\n");
}

/** Breaks a long line between words. */
function fold(text: string): string {
  const lines = [""];
  for (const word of text.split(" ")) {
    if (lines.at(-1)!.length + word.length >= widestLine) lines.push("     ");
    lines.push(`${lines.pop()!}${word} `);
  }
  return lines.map((line) => line.trimEnd()).join("\n");
}
