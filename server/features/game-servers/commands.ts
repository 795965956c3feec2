import { constants } from "node:os";
import { resolve } from "node:path";

import { readableText } from "#contract/fields.ts";
import { driverKinds, gameServerLimits, queryKinds } from "#contract/game-servers.ts";
import { parseAddress } from "#contract/game-servers.ts";
import {
  type Command,
  type CommandContext,
  CommandRefusedError,
  CommandUsageError,
  type CommandWithoutDatabase,
  parseNumberOption,
} from "#server/platform/command.ts";
import { Refusal } from "#server/platform/http/refusal.ts";
import { addGameServer, enableGameServer, inspectServer, removeGameServer, type GameServerSetup } from "./actions.ts";
import type { DriverKind } from "./drivers/create-drivers.ts";
import { engineFilterCommands } from "./drivers/engine-filter-command.ts";
import { formatProgramLine, splitCommandLine } from "./rules.ts";
import type { GameServerRow } from "./store.ts";
import * as store from "./store.ts";

const text = { type: "string" } as const;

export const commands: readonly (Command | CommandWithoutDatabase)[] = [
  {
    name: "game-server add",
    usage:
      "NAME (--docker CONTAINER | --unit UNIT | --script FILE | --command 'PROGRAM ARG…' [--cwd DIR] [--stop-signal SIG]) " +
      "[--address HOST:PORT] [--query minecraft|source|quake3|none] [--grace SECONDS] [--idle-stop MINUTES]",
    description: "adds a game server that members can start and stop",
    argCount: { min: 1, max: 1 },
    options: {
      docker: text,
      unit: text,
      script: text,
      command: text,
      cwd: text,
      "stop-signal": text,
      address: text,
      query: text,
      grace: text,
      "idle-stop": text,
    },
    async run(context) {
      const setup = parseSetup(context);
      const id = await addGameServer(context, setup, null).catch((error: unknown) => {
        throw error instanceof Refusal
          ? new CommandRefusedError(`${describeMissing(setup)} Nothing was added.`)
          : error;
      });
      const isWithoutQuery = setup.idle_stop_minutes !== null && setup.query === "none";
      const note = isWithoutQuery ? "\t--idle-stop has no effect without --query" : "";
      return { json: { id, display_name: setup.display_name }, text: `${id}\t${setup.display_name}${note}` };
    },
  },
  {
    name: "game-server list",
    description: "lists the game servers and their states",
    async run(context) {
      const servers = await Promise.all(
        (await store.listGameServers(context.db)).map(async (row) => {
          const { id, display_name, driver } = row;
          const inspection = await inspectServer(context, row);
          const state = inspection.kind === "found" ? inspection.state : null;
          return { id, display_name, driver, state, ...(!store.isActive(row) && { is_inactive: true }) };
        }),
      );
      const lines = servers.map(({ id, display_name, driver, state, is_inactive }) => {
        const word = is_inactive ? `inactive: stammtisch game-server enable ${id}` : (state?.Status ?? "unavailable");
        return [id, display_name, driver, word].join("\t");
      });
      return { json: servers, text: lines.join("\n") };
    },
  },
  {
    name: "game-server enable",
    usage: "NAME|ID",
    description: "lets members use a restored game server; a program then belongs to this machine",
    argCount: { min: 1, max: 1 },
    async run(context) {
      const row = findNamed(await store.listGameServers(context.db), context.args[0]!);
      await enableGameServer(context, row);
      const { id, display_name } = row;
      return { json: { id, display_name }, text: formatProgramLine(row) };
    },
  },
  {
    name: "game-server remove",
    usage: "ID",
    description: "removes a game server from the list; does not stop it",
    argCount: { min: 1, max: 1 },
    async run(context) {
      const [arg = ""] = context.args;
      const id = /^[1-9]\d{0,8}$/.test(arg) ? Number(arg) : 0;
      await removeGameServer(context, id, null).catch((error: unknown) => {
        throw error instanceof Refusal ? new CommandRefusedError(`There is no game server ${arg}.`) : error;
      });
      return { json: { id }, text: `${id} removed` };
    },
  },
  ...engineFilterCommands,
];

function findNamed(rows: readonly GameServerRow[], nameOrId: string): GameServerRow {
  const [row, ...others] = rows.filter(({ id, display_name }) => nameOrId === display_name || nameOrId === String(id));
  if (!row) throw new CommandRefusedError(`There is no game server ${nameOrId}.`);
  if (others.length === 0) return row;
  const ids = [row, ...others].map(({ id }) => id).join(", ");
  throw new CommandRefusedError(
    `“${nameOrId}” is more than one game server: ${ids}. Give an id, or rename one of them.`,
  );
}

function parseSetup({ args: [name], options }: CommandContext): GameServerSetup {
  const display_name = readableText(gameServerLimits.name).safeParse(name);
  if (!display_name.success)
    throw new CommandUsageError(`NAME is a readable name of at most ${gameServerLimits.name} characters.`);
  const kinds = driverKinds.filter((kind) => options[kind] !== undefined);
  const [driver] = kinds;
  if (!driver || kinds.length > 1)
    throw new CommandUsageError("Give exactly one of --docker, --unit, --script and --command.");
  const address = parseAddressOption(options["address"]);
  const query = parseQuery(options["query"]);
  if (query !== "none" && address === null) throw new CommandUsageError("--query needs --address.");
  const { grace, idleStop } = gameServerLimits;
  return {
    display_name: display_name.data,
    driver,
    ref: parseRef(driver, options),
    address,
    query,
    grace_seconds: parseNumberOption("grace", options["grace"], { usual: null, ...grace }),
    idle_stop_minutes: parseNumberOption("idle-stop", options["idle-stop"], { usual: null, ...idleStop }),
  };
}

function parseAddressOption(address: unknown): string | null {
  if (typeof address !== "string") return null;
  if (!parseAddress(address)) throw new CommandUsageError("--address is HOST:PORT, such as spiele.example:27015.");
  return address;
}

function parseQuery(query: unknown = "none"): (typeof queryKinds)[number] {
  const known = queryKinds.find((kind) => kind === query);
  if (!known) throw new CommandUsageError(`--query is one of: ${queryKinds.join(", ")}.`);
  return known;
}

/** Returns the launch target: a container or unit name, a script's absolute path, or JSON of a program. */
function parseRef(driver: DriverKind, options: CommandContext["options"]): string {
  const value = String(options[driver]);
  for (const name of ["cwd", "stop-signal"]) {
    if (options[name] !== undefined && driver !== "command")
      throw new CommandUsageError(`--${name} can only be used with --command.`);
  }
  if (driver === "script") return resolve(value);
  if (driver === "unit") return value.includes(".") ? value : `${value}.service`;
  if (driver === "docker") return value;
  const argv = splitCommandLine(value);
  if (!argv || argv.length === 0) throw new CommandUsageError("--command takes a program and its arguments.");
  const { cwd, "stop-signal": stopSignal } = options;
  if (stopSignal !== undefined && !Object.hasOwn(constants.signals, String(stopSignal)))
    throw new CommandUsageError("--stop-signal is the name of a signal, such as SIGINT.");
  const [program, ...rest] = argv;
  return JSON.stringify({
    // Without `--cwd`, a relative path starts at the folder in which the command was called.
    argv: [program!.includes("/") && cwd === undefined ? resolve(program!) : program, ...rest],
    cwd: cwd === undefined ? null : resolve(String(cwd)),
    stopSignal: stopSignal ?? null,
  });
}

function describeMissing({ driver, ref }: GameServerSetup): string {
  switch (driver) {
    case "docker":
      return `The engine has no container “${ref}”.`;
    case "unit":
      return `There is no unit “${ref}”.`;
    case "script":
      return `${ref} is not a file that can be executed.`;
    case "command":
      return "The program or its working directory does not exist.";
  }
}
