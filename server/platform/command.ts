import type { ParseArgsOptionsConfig } from "node:util";

import { type Permission, permissions } from "#contract/endpoint.ts";
import { OperatorError } from "#server/operator-error.ts";
import type { Context } from "./context.ts";
import type { DemoSeed } from "./demo-seed.ts";

/** The input of a command, which may run on the same database as a running server. */
export interface CommandContext extends Pick<Context, "config" | "database" | "db" | "say" | "clock" | "tables"> {
  /** Names of the migrations that were applied right before the command. */
  readonly appliedMigrations: readonly string[];
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
  /** Functions of the features that fill the database of a demo. */
  readonly demoSeeds: readonly DemoSeed[];
}

interface CommandDescription {
  /** One or two words, e.g. `invite create`. */
  readonly name: string;
  /** The arguments as the help shows them, e.g. `UNAME PERMISSION…`; absent if the command takes none. */
  readonly usage?: string;
  readonly description: string;
  /** Number of positional arguments; absent if the command takes none. */
  readonly argCount?: { readonly min: number; readonly max: number };
  readonly options?: ParseArgsOptionsConfig;
  /** `true` if the command neither reads nor writes the data in DATA_DIR. */
  readonly ignoresDataDirectory?: true;
}

/**
 * An item of a long list. The option `--json` prints `json`; without it, the line `text` is
 * printed.
 */
export interface ListEntry {
  readonly json: object;
  readonly text: string;
}

/** The result of a command. The option `--json` prints `json`; without it, `text` is printed. */
export interface CommandResult {
  readonly json: unknown;
  readonly text: string;
  /** Batches of a list of any length. The list is printed instead of `json` and `text`. */
  readonly pages?: AsyncIterable<readonly ListEntry[]>;
  /** Id of the member whose access the command changed. */
  readonly accessChangedOf?: number;
  /** `true` if the command must exit with code 1 although it has a result. */
  readonly isFailure?: boolean;
}

export interface Command extends CommandDescription {
  /** `true` if the command creates a missing database; other commands refuse to run without one. */
  readonly createsDatabase?: true;
  run(context: CommandContext): Promise<CommandResult>;
}

/** The input of a command that opens the database itself or needs none. */
export type ContextWithoutDatabase = Omit<CommandContext, "database" | "db" | "say" | "appliedMigrations">;

/** A command that runs before any migration, and opens the database itself if it needs one. */
export interface CommandWithoutDatabase extends CommandDescription {
  runWithoutDatabase(context: ContextWithoutDatabase): Promise<CommandResult>;
}

/** Thrown if a command cannot be carried out; the process then exits with code 1. */
export class CommandRefusedError extends OperatorError {}

/** Thrown if the command line is invalid; the process then exits with code 2. */
export class CommandUsageError extends Error {}

/** Parses an option as a whole number from `min` to `max`. Returns `usual` if the option is missing. */
export function parseNumberOption<Usual extends number | null>(
  name: string,
  text: unknown,
  { usual, min, max }: { usual: Usual; min: number; max: number },
): number | Usual {
  if (text === undefined) return usual;
  const number = Number(text);
  if (!Number.isInteger(number) || number < min || number > max) {
    throw new CommandUsageError(`--${name} takes a whole number from ${min} to ${max}.`);
  }
  return number;
}

/** Formats a count with its English noun, e.g. `1 beer` or `2 beers`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Returns the named permissions in the order of the contract. Throws a `CommandUsageError` for unknown names. */
export function parsePermissions(names: readonly unknown[]): Permission[] {
  for (const name of names) {
    if (!permissions.includes(name as Permission)) {
      throw new CommandUsageError(`Unknown permission “${String(name)}”. There are: ${permissions.join(", ")}.`);
    }
  }
  return permissions.filter((permission) => names.includes(permission));
}
