import { parseArgs } from "node:util";

import { createCommandSay } from "./command-say.ts";
import { addEnvironmentFile, type Config, ConfigError, describeVariables, readConfig } from "./config.ts";
import { explainDatabaseError, openDatabase } from "./db/connect.ts";
import { upgrade } from "./db/upgrade.ts";
import { features, tables } from "./features.ts";
import { OperatorError, UnusableDataError } from "./operator-error.ts";
import { systemClock } from "./platform/clock.ts";
import {
  type CommandWithoutDatabase,
  type Command,
  type CommandContext,
  type ContextWithoutDatabase,
  type CommandResult,
  CommandUsageError,
} from "./platform/command.ts";
import { createLog } from "./platform/log.ts";
import { createBus, createConfiguredService } from "./platform/realtime/create-realtime.ts";
import { assertDataIntegrity } from "./platform/storage/data-directory-lock.ts";
import { switchToDataOwner } from "./platform/storage/data-owner.ts";
import {
  assertDatabaseFileExists,
  assertDatabaseNotEmpty,
  assertDatabaseNotLost,
} from "./platform/storage/existing-database.ts";

/** Excludes `serve`, which runs the server. */
export const commands: readonly (Command | CommandWithoutDatabase)[] = [
  ...features.flatMap((feature) => feature.commands ?? []),
  {
    name: "migrate",
    description: "applies pending database migrations",
    createsDatabase: true,
    run: async ({ appliedMigrations }) => ({
      json: { applied: appliedMigrations },
      text: appliedMigrations.join("\n") || "up to date",
    }),
  },
];

const exitCodes = { done: 0, refused: 1, usage: 2, config: 78 } as const;

/**
 * Returns the exit code of the process. `serve` calls `beforeServing` after it validated the configuration, to rebuild
 * stale pages.
 */
export async function runCommandLine(args: readonly string[], beforeServing: () => void = () => {}): Promise<number> {
  try {
    if (args.length === 0 || args.includes("--help") || args[0] === "help") {
      process.stdout.write(helpText());
      return args.length === 0 ? exitCodes.usage : exitCodes.done;
    }
    addEnvironmentFile();
    if (args[0] === "serve") {
      if (args.length > 1)
        throw new CommandUsageError("serve takes no arguments; it is configured by environment variables.");
      const config = readConfig();
      beforeServing();
      const { serve } = await import("./main.ts");
      return await serve(config);
    }
    return await runCommand(findCommand(args), args);
  } catch (error) {
    // Keeps a service manager from restarting the server endlessly.
    if (args[0] === "serve" && error instanceof UnusableDataError) return printError(error, exitCodes.config);
    return reportError(error);
  }
}

function findCommand(args: readonly string[]): Command | CommandWithoutDatabase {
  const command = commands.find(({ name }) => name.split(" ").every((word, index) => args[index] === word));
  if (command) return command;
  const alike = commands.map(({ name }) => name).filter((name) => name.startsWith(`${args[0]} `));
  const hint = alike.length > 0 ? `There are: ${alike.join(", ")}.` : "See: stammtisch help";
  throw new CommandUsageError(`Unknown command “${args.slice(0, 2).join(" ")}”. ${hint}`);
}

async function runCommand(command: Command | CommandWithoutDatabase, args: readonly string[]): Promise<number> {
  const { values: options, positionals } = parseArguments(command, args.slice(command.name.split(" ").length));
  const given: ContextWithoutDatabase = {
    config: readConfig(),
    clock: systemClock,
    args: positionals,
    options,
    tables,
    demoSeeds: features.flatMap(({ seedDemo }) => seedDemo ?? []),
  };
  if (!command.ignoresDataDirectory) switchToDataOwner(given.config.dataDir);
  const { isFailure } =
    "runWithoutDatabase" in command
      ? await printResult(await command.runWithoutDatabase(given), options)
      : await runOnDatabase(command, given);
  return isFailure ? exitCodes.refused : exitCodes.done;
}

async function runOnDatabase(command: Command, given: ContextWithoutDatabase): Promise<CommandResult> {
  if (!command.createsDatabase) assertDatabaseFileExists(given.config);
  assertDataIntegrity(given.config);
  assertDatabaseNotLost(given.config);
  await using database = openDatabase(given.config);
  if (!command.createsDatabase) await assertDatabaseNotEmpty(database.db, given.config);
  const migrated = await upgrade(database, given.config.dataDir, given.clock.now());
  const say = createCommandSay({ ...given, db: database.db });
  const result = await command.run({ ...given, database, db: database.db, say, appliedMigrations: migrated });
  await notifyInstances(given.config, database, result);
  return await printResult(result, given.options);
}

function parseArguments(
  { name, usage = "", options, argCount = { min: 0, max: 0 } }: Command | CommandWithoutDatabase,
  args: readonly string[],
) {
  let parsed;
  try {
    parsed = parseArgs({ args: [...args], options: { ...options, json: { type: "boolean" } }, allowPositionals: true });
  } catch (error) {
    throw new CommandUsageError(`${(error as Error).message.split(".")[0]}. Usage: stammtisch ${name} ${usage}`);
  }
  const { length } = parsed.positionals;
  if (length < argCount.min || length > argCount.max)
    throw new CommandUsageError(`Usage: stammtisch ${name} ${usage}`.trimEnd());
  return parsed;
}

/**
 * Makes running PostgreSQL instances re-read changed data at once; a server on SQLite detects the write itself. Asks a
 * hosted realtime service to close the sockets of a member whose access changed.
 */
async function notifyInstances(
  config: Config,
  database: ReturnType<typeof openDatabase>,
  { accessChangedOf }: CommandResult,
): Promise<void> {
  const log = createLog(config.logLevel);
  const parts = { db: database.db, clock: systemClock, log };
  const service = accessChangedOf === undefined ? null : createConfiguredService(config, parts);
  await service?.terminateConnections(database.db, accessChangedOf!);
  if (database.kind === "postgres") {
    const bus = createBus(config, database, log);
    await bus.send(database.db, { kind: "resync" });
    await bus.close();
  }
  await service?.whenSent();
}

async function printResult(result: CommandResult, options: CommandContext["options"]): Promise<CommandResult> {
  const isJson = options["json"] === true;
  if (result.pages) await printPages(result.pages, isJson);
  else await writeOutput(lineOf(isJson ? JSON.stringify(result.json) : result.text));
  return result;
}

/** Prints in batches: the text of millions of entries would exceed the maximum length of a JavaScript string. */
async function printPages(pages: NonNullable<CommandResult["pages"]>, isJson: boolean): Promise<void> {
  let separator = isJson ? "[" : "";
  for await (const entries of pages) {
    const texts = entries.map(({ json, text }) => (isJson ? JSON.stringify(json) : lineOf(text)));
    if (!(await writeOutput(separator + texts.join(isJson ? "," : "")))) return;
    if (isJson) separator = ",";
  }
  if (isJson) await writeOutput(separator === "[" ? "[]\n" : "]\n");
}

function lineOf(text: string): string {
  return text === "" ? "" : `${text}\n`;
}

/** Resolves to `false` if the program that reads stdout through a pipe has closed the pipe. */
function writeOutput(text: string): Promise<boolean> {
  return new Promise((resolve) => process.stdout.write(text, (error) => resolve(!error)));
}

function reportError(error: unknown): number {
  if (error instanceof ConfigError) return printError(error, exitCodes.config);
  if (error instanceof CommandUsageError) return printError(error, exitCodes.usage);
  if (error instanceof OperatorError) return printError(error, exitCodes.refused);
  const explained = explainDatabaseError(error);
  if (explained) return printError(new Error(explained), exitCodes.refused);
  const { code, message } = error as NodeJS.ErrnoException;
  // Messages of Node's own errors already begin with the error code.
  if (code !== undefined)
    return printError(new Error(message.startsWith(code) ? message : `${code}: ${message}`), exitCodes.refused);
  throw error;
}

function printError(error: Error, code: number): number {
  process.stderr.write(`${error.message.replaceAll(/\p{Cc}+/gu, " ")}\n`);
  return code;
}

function helpText(): string {
  const serve = { name: "serve", usage: "", description: "runs the server" };
  const variables = describeVariables();
  const nameWidth = Math.max(...variables.map(({ name }) => name.length)) + 2;
  return [
    "stammtisch COMMAND [--json]",
    "",
    ...[serve, ...commands].map(({ name, usage = "", description }) =>
      [`  ${name} ${usage}`.trimEnd(), `      ${description}`].join("\n"),
    ),
    "",
    "Settings are environment variables. STAMMTISCH_ENV_FILE names a file with more of them, one NAME=value per line.",
    "",
    ...variables.map(
      ({ name, meaning, defaultText }) =>
        `  ${name.padEnd(nameWidth)}${meaning.split(/[.:] /)[0]!.replaceAll("`", "")} (${defaultText.replaceAll("`", "")})`,
    ),
    "",
  ].join("\n");
}
