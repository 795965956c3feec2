import { runCommandLine } from "#server/cli.ts";
import { createCommandSay } from "#server/command-say.ts";
import { features } from "#server/features.ts";
import type { Command, CommandResult, CommandWithoutDatabase } from "#server/platform/command.ts";
import type { TestApp } from "./test-app.ts";

export interface CommandLineResult {
  readonly code: number;
  /** The output on stdout and stderr, in order. */
  readonly printed: string;
}

/** Runs a command line in this process, with `env` added to its environment. */
export async function runInProcess(
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<CommandLineResult> {
  let printed = "";
  const write = (text: string | Uint8Array, done?: unknown): boolean => {
    printed += String(text);
    if (typeof done === "function") done();
    return true;
  };
  const outputs = [process.stdout, process.stderr];
  const written = outputs.map((output) => output.write);
  for (const output of outputs) output.write = write;
  const before = { ...process.env };
  Object.assign(process.env, env);
  try {
    return { code: await runCommandLine([...words]), printed };
  } finally {
    for (const name of Object.keys(env)) if (before[name] === undefined) delete process.env[name];
    Object.assign(process.env, before);
    for (const [index, output] of outputs.entries()) output.write = written[index]!;
  }
}

/** Runs a command on the database of a test app, and returns what it printed. */
export function runCommandOn(
  { config, database, db, clock }: TestApp,
  commands: readonly (Command | CommandWithoutDatabase)[],
  name: string,
  args: readonly string[],
  options: Record<string, string> = {},
): Promise<CommandResult> {
  const demoSeeds = features.flatMap(({ seedDemo }) => seedDemo ?? []);
  const say = createCommandSay({ config, db, clock });
  const context = { config, database, db, say, clock, appliedMigrations: [], args, options, tables: {}, demoSeeds };
  return (commands.find((command) => command.name === name) as Command).run(context);
}
