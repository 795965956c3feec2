import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { event } from "./event.ts";
import { fixedMessage, message, numberBetween, readableText, rowId } from "./fields.ts";
import { field } from "./labels.ts";

const params = z.object({ id: rowId });

/** The address of a game. */
export interface GameAddress {
  readonly host: string;
  readonly port: number;
}

/** Parses `host:port`, with an IPv6 host in brackets; `null` for any other text. */
export function parseAddress(address: string): GameAddress | null {
  const [, bracketed, plain, digits] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9][A-Za-z0-9.-]{0,252})):(\d{1,5})$/.exec(address) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  return host !== undefined && port >= 1 && port <= 65_535 ? { host, port } : null;
}

/** Docker's states, and starting and stopping. `null`: unreachable or not set up. */
export const serverState = z.nullable(z.object({ Status: z.string(), Running: z.boolean() }));
export type ServerState = z.output<typeof serverState>;

/**
 * The phase of a game server, from the database to the screen. `unknown`: not inspected yet; `missing`: its container, unit or
 * program does not exist; `unreachable`: the driver does not answer.
 */
export type Phase =
  | "unknown"
  | "stopped"
  | "starting"
  | "running"
  | "stopping"
  | "restarting"
  | "paused"
  | "crashed"
  | "missing"
  | "unreachable";

/** Converts a phase to the wire. `isAlive`: a process exists; `driverStatus`: the driver's own word. */
export function toServerState({
  phase,
  isAlive,
  driverStatus,
}: {
  readonly phase: Phase;
  readonly isAlive: boolean;
  readonly driverStatus: string;
}): ServerState {
  switch (phase) {
    case "unknown":
    case "missing":
    case "unreachable":
      return null;
    case "stopped":
      return { Status: driverStatus === "created" ? "created" : "exited", Running: false };
    case "crashed":
      return { Status: "dead", Running: false };
    case "starting":
      return { Status: "starting", Running: isAlive };
    default:
      return { Status: phase, Running: true };
  }
}

/** Phases by the status on the wire, which uses Docker's words. */
const phasesOfStatus: Readonly<Record<string, Phase>> = {
  created: "stopped",
  exited: "stopped",
  removing: "stopping",
  dead: "crashed",
  starting: "starting",
  running: "running",
  stopping: "stopping",
  restarting: "restarting",
  paused: "paused",
};

/** Reads the phase from the wire; an unknown status only says whether the server runs. */
export function toPhase({ state, is_missing }: { readonly state: ServerState; readonly is_missing: boolean }): Phase {
  if (state === null) return is_missing ? "missing" : "unreachable";
  return phasesOfStatus[state.Status] ?? (state.Running ? "running" : "stopped");
}

/** The current players; `null`: unknown. `max` and `names` are optional in games. */
export const players = z.nullable(z.object({ online: z.int(), max: z.nullable(z.int()), names: z.array(z.string()) }));
export type Players = z.output<typeof players>;

/** The failure of the last start. */
const startFailure = z.object({
  /** A sentence without output of a program. */
  text: z.string(),
  /** The last line of the program or the engine; `null` if unknown, or for members who are no administrators. */
  detail: z.nullable(z.string()),
  /** Epoch ms. */
  at: z.int(),
});
export type StartFailure = z.output<typeof startFailure>;

export const gameServer = z.object({
  id: z.int(),
  display_name: z.string(),
  state: serverState,
  /** `true` if its container, unit or program is missing; otherwise `state: null` means that the driver does not answer. */
  is_missing: z._default(z.boolean(), false),
  /** `false` after a restore, until the game server is enabled on the command line. */
  is_active: z._default(z.boolean(), true),
  /** `null` without a failure, or once the server has run since. */
  start_failure: z._default(z.nullable(startFailure), null),
  /** `host:port` for players. */
  address: z.nullable(z.string()),
  /** A link that starts the game and joins; `null` for games without one. */
  join_url: z.nullable(z.string().check(z.startsWith("steam://connect/"))),
  players,
  /** `true` if the game can report its players. */
  is_queryable: z._default(z.boolean(), true),
  /** The member who last started or stopped it; `null` without one, or if it happened automatically. Times in epoch ms. */
  changed_by: z.nullable(
    z.object({
      name: z.string(),
      avatarId: z.nullable(z.string()),
      /** `true` if the account was deleted since; `name` is then a fixed text. */
      is_former: z._default(z.boolean(), false),
    }),
  ),
  changed_at: z.nullable(z.int()),
  /** Epoch ms of the automatic stop of an empty server; `null` if none is due. */
  auto_stop_at: z.nullable(z.int()),
});
export type GameServer = z.output<typeof gameServer>;

export const getGameServers = endpoint("GET /api/game-servers", {
  who: ["see-game-servers"],
  tokens: ["read"],
  reply: z.array(gameServer),
});

export const getGameServer = endpoint("GET /api/game-servers/:id", {
  who: ["see-game-servers"],
  tokens: ["read"],
  params,
  reply: gameServer,
});

/** Starts (1) or stops (2) a server. Replies at once; the result is an event on the channel. */
export const switchGameServer = endpoint("POST /api/game-servers/:id", {
  who: ["see-game-servers", "toggle-game-servers"],
  perMinute: 10,
  params,
  body: z.object({ state: field("Status", z.literal([1, 2])) }),
  reply: message,
});

/** Restarts the waiting time before an empty server stops. */
export const keepGameServerRunning = endpoint("POST /api/game-servers/:id/keep-running", {
  who: ["see-game-servers", "toggle-game-servers"],
  perMinute: 10,
  params,
  reply: message,
});

/** A server was started or stopped by a member, or changed automatically. Only for members with `see-game-servers`. */
export const gameServersUpdated = event({
  channel: "private-game-servers",
  name: "updated",
  data: z.object({
    userId: z.nullable(z.int()),
    /** 0: the list itself has changed. */
    serverId: z.int(),
    /** Empty: pages only refetch. */
    message: z.string(),
    /** Missing in events of the previous version. */
    userName: z._default(z.nullable(z.string()), null),
    avatarId: z.nullable(z.string()),
    /** `true` if the change failed. Missing in events of the previous version. */
    is_failure: z._default(z.boolean(), false),
    /** The `at` of the `start_failure` that the message describes. Missing in events of the previous version. */
    failed_start_at: z._default(z.nullable(z.int()), null),
  }),
});

/** Returns the sentence about a failed start, with the program's last line for administrators. */
export function describeFailure({ text, detail }: Pick<StartFailure, "text" | "detail">): string {
  return detail === null ? text : `${text} Letzte Meldung: ${detail}`;
}

/** Returns the message with the member's name; `userName` is `null` if it happened automatically. */
export function describeChange(userName: string | null, text: string): string {
  return userName === null ? text : `${userName}: ${text}`;
}

/** The ways to start and stop a server. Pages can add only `docker`; the command line adds the others. */
export const driverKinds = ["docker", "unit", "script", "command"] as const;
/** The protocols that report players. */
export const queryKinds = ["minecraft", "source", "quake3", "none"] as const;
/** `grace`: seconds a stop may take before it is forced; `idle_stop`: minutes without players. */
export const gameServerLimits = { name: 64, grace: { min: 0, max: 600 }, idleStop: { min: 1, max: 1440 } } as const;

const address = z.string().check(
  z.trim(),
  z.refine((text) => parseAddress(text) !== null, "invalid"),
);

const settings = {
  display_name: field("Name", readableText(gameServerLimits.name)),
  /** `host:port` for players and for counting them. */
  address: field("Adresse", z.nullable(address)),
  query: field("Abfrage", z.enum(queryKinds)),
  grace: field("Frist", z.nullable(numberBetween(gameServerLimits.grace))),
  /** Minutes; `null`: never stops automatically. */
  idle_stop: field("Abschaltzeit", z.nullable(numberBetween(gameServerLimits.idleStop))),
};

export const managedGameServer = z.object({
  id: z.int(),
  display_name: z.string(),
  driver: z.enum(driverKinds),
  /** The container or unit; `null` for programs, whose command lines may contain passwords. */
  ref: z.nullable(z.string()),
  address: z.nullable(z.string()),
  query: z.enum(queryKinds),
  grace: z.nullable(z.int()),
  idle_stop: z.nullable(z.int()),
  state: serverState,
  /** `false` after a restore, until the game server is enabled on the command line. */
  is_active: z._default(z.boolean(), true),
});
export type ManagedGameServer = z.output<typeof managedGameServer>;

/** All servers in the order shown to members. */
export const getManagedGameServers = endpoint("GET /api/admin/game-servers", {
  who: ["admin"],
  reply: z.array(managedGameServer),
});

/** Adds a container; 422 at `ref` if it does not exist. */
export const addGameServer = endpoint("POST /api/admin/game-servers", {
  who: ["admin"],
  needsRecentPassword: true,
  maxBody: 4096,
  body: z.object({
    ref: field("Container", z.string().check(z.trim(), z.regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/))),
    ...settings,
  }),
  reply: z.object({ message: z.string(), id: z.int() }),
  status: 201,
});

/** Updates all fields except the launch target. */
export const changeGameServer = endpoint("POST /api/admin/game-servers/:id", {
  who: ["admin"],
  needsRecentPassword: true,
  params,
  maxBody: 4096,
  body: z.object(settings),
  reply: message,
});

/** Reorders the servers; takes the ids of all of them. */
export const orderGameServers = endpoint("POST /api/admin/game-server-order", {
  who: ["admin"],
  maxBody: 4096,
  body: z.object({ ids: field("Reihenfolge", z.array(z.int())) }),
  reply: fixedMessage("Reihenfolge gespeichert."),
});

/** Deletes the server from the list; if it is running, it keeps running. */
export const removeGameServer = endpoint("DELETE /api/admin/game-servers/:id", {
  who: ["admin"],
  needsRecentPassword: true,
  params,
  reply: fixedMessage("Game-Server entfernt."),
});

/** Tests the connection now. `ok`: reachable and set up; the message describes the state. */
export const testGameServer = endpoint("POST /api/admin/game-servers/:id/test", {
  who: ["admin"],
  params,
  reply: z.object({ ok: z.boolean(), message: z.string() }),
});
