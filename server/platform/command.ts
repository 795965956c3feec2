import type { ParseArgsOptionsConfig } from "node:util";

import { type Permission, permissions } from "#contract/endpoint.ts";
import { OperatorError } from "#server/operator-error.ts";
import type { Context } from "./context.ts";
import type { DemoSeed } from "./demo-seed.ts";

/** What a command works with. It may run while the server runs, on the same database. */
export interface CommandContext extends Pick<Context, "config" | "database" | "db" | "clock" | "tables"> {
  /** The migrations that were applied for this command. */
  readonly appliedMigrations: readonly string[];
  /** Positional arguments after the command's name. */
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
  /** What each feature adds to the demo. */
  readonly demoSeeds: readonly DemoSeed[];
}

/** How a command is called. */
interface CommandDescription {
  /** One or two words, e.g. `invite create`. */
  readonly name: string;
  /** The arguments for the help, e.g. `UNAME PERMISSION…`; without any it takes none. */
  readonly usage?: string;
  readonly description: string;
  /** How many positional arguments it takes; none unless given. */
  readonly argCount?: { readonly min: number; readonly max: number };
  readonly options?: ParseArgsOptionsConfig;
  /** It neither reads nor writes what is in DATA_DIR. */
  readonly ignoresDataDirectory?: true;
}

/** An entry of a long list, for `--json` and as a line of text. */
export interface ListEntry {
  readonly json: object;
  readonly text: string;
}

/** The result, for `--json` and as text. */
export interface CommandResult {
  readonly json: unknown;
  readonly text: string;
  /** In place of both: a list of any length, page by page. */
  readonly pages?: AsyncIterable<readonly ListEntry[]>;
  /** The member whose access it changed. */
  readonly accessChangedOf?: number;
  /** Exit code 1, although there is a result. */
  readonly isFailure?: boolean;
}

export interface Command extends CommandDescription {
  /** Creates the database where there is none. Other commands are refused then. */
  readonly createsDatabase?: true;
  run(context: CommandContext): Promise<CommandResult>;
}

/** What a command works with that opens the database itself, or needs none. */
export type ContextWithoutDatabase = Omit<CommandContext, "database" | "db" | "appliedMigrations">;

/** A command that opens the database itself, if it needs one. Nothing has been migrated. */
export interface CommandWithoutDatabase extends CommandDescription {
  runWithoutDatabase(context: ContextWithoutDatabase): Promise<CommandResult>;
}

/** The command cannot be carried out; exit code 1. */
export class CommandRefusedError extends OperatorError {}

/** The command line is wrong; exit code 2. */
export class CommandUsageError extends Error {}

/** A whole number within bounds from an option's text; `usual` where the option is not given. */
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

/** A number and its English noun, e.g. `1 beer` or `2 beers`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The permissions named on the command line, in their usual order. */
export function parsePermissions(names: readonly unknown[]): Permission[] {
  for (const name of names) {
    if (!permissions.includes(name as Permission)) {
      throw new CommandUsageError(`Unknown permission “${String(name)}”. There are: ${permissions.join(", ")}.`);
    }
  }
  return permissions.filter((permission) => names.includes(permission));
}
