import type { ParseArgsOptionsConfig } from "node:util";

import { type Permission, permissions } from "#contract/endpoint.ts";
import { OperatorError } from "#server/operator-error.ts";
import type { Context } from "./context.ts";
import type { DemoSeed } from "./demo-seed.ts";

/** A command may run on the same database as a running server. */
export interface CommandContext extends Pick<Context, "config" | "database" | "db" | "say" | "clock" | "tables"> {
  /** Applied right before the command. */
  readonly appliedMigrations: readonly string[];
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
  readonly demoSeeds: readonly DemoSeed[];
}

interface CommandDescription {
  /** One or two words, e.g. `invite create`. */
  readonly name: string;
  /** As the help shows it, e.g. `UNAME PERMISSION…`. */
  readonly usage?: string;
  readonly description: string;
  /** Absent if the command takes no positional arguments. */
  readonly argCount?: { readonly min: number; readonly max: number };
  readonly options?: ParseArgsOptionsConfig;
  /** The command neither reads nor writes the data in DATA_DIR. */
  readonly ignoresDataDirectory?: true;
}

export interface ListEntry {
  readonly json: object;
  readonly text: string;
}

/** `json` is printed with the option `--json`, `text` without. */
export interface CommandResult {
  readonly json: unknown;
  readonly text: string;
  /** Batches of a list of any length, printed instead of `json` and `text`. */
  readonly pages?: AsyncIterable<readonly ListEntry[]>;
  /** Member whose access the command changed. */
  readonly accessChangedOf?: number;
  /** The command exits with code 1 although it has a result. */
  readonly isFailure?: boolean;
}

export interface Command extends CommandDescription {
  /** Other commands refuse to run without a database. */
  readonly createsDatabase?: true;
  run(context: CommandContext): Promise<CommandResult>;
}

export type ContextWithoutDatabase = Omit<CommandContext, "database" | "db" | "say" | "appliedMigrations">;

/** Runs before any migration, and opens the database itself if it needs one. */
export interface CommandWithoutDatabase extends CommandDescription {
  runWithoutDatabase(context: ContextWithoutDatabase): Promise<CommandResult>;
}

/** The process exits with code 1. */
export class CommandRefusedError extends OperatorError {}

/** The process exits with code 2. */
export class CommandUsageError extends Error {}

/** Returns `usual` if the option is missing. */
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

/** E.g. `1 beer` or `2 beers`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** In the order of the contract. Throws a `CommandUsageError` for unknown names. */
export function parsePermissions(names: readonly unknown[]): Permission[] {
  for (const name of names) {
    if (!permissions.includes(name as Permission)) {
      throw new CommandUsageError(`Unknown permission “${String(name)}”. There are: ${permissions.join(", ")}.`);
    }
  }
  return permissions.filter((permission) => names.includes(permission));
}
