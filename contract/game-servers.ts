import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { event } from "./event.ts";
import { fixedMessage, message, numberBetween, readableText, rowId } from "./fields.ts";
import { field } from "./labels.ts";

const params = z.object({ id: rowId });

/** Host and port at which players reach a game server. */
export interface GameAddress {
  readonly host: string;
  readonly port: number;
}

/** Parses `host:port`, with an IPv6 host in brackets. Returns `null` for any other text. */
export function parseAddress(address: string): GameAddress | null {
  const [, bracketed, plain, digits] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9][A-Za-z0-9.-]{0,252})):(\d{1,5})$/.exec(address) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  return host !== undefined && port >= 1 && port <= 65_535 ? { host, port } : null;
}

/**
 * The state on the wire: Docker's words plus `starting` and `stopping`. `null` if the game server
 * does not exist or its driver does not answer.
 */
export const serverState = z.nullable(z.object({ Status: z.string(), Running: z.boolean() }));
export type ServerState = z.output<typeof serverState>;

/**
 * The state of a game server everywhere except on the wire. `unknown`: not inspected yet;
 * `missing`: its container, unit or program does not exist; `unreachable`: the driver does not
 * answer.
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

/**
 * Converts a phase to the wire format. `isAlive`: the program has a process; `driverStatus`: the
 * status as reported by the driver.
 */
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

/** Maps the status on the wire, which uses Docker's words, to a phase. */
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

/**
 * Converts the state on the wire to a phase. For an unknown status, `Running` decides between
 * running and stopped.
 */
export function toPhase({ state, is_missing }: { readonly state: ServerState; readonly is_missing: boolean }): Phase {
  if (state === null) return is_missing ? "missing" : "unreachable";
  return phasesOfStatus[state.Status] ?? (state.Running ? "running" : "stopped");
}

/**
 * The current players; `null` if unknown. `max` is `null` and `names` is empty if the game does not
 * report this information.
 */
export const players = z.nullable(z.object({ online: z.int(), max: z.nullable(z.int()), names: z.array(z.string()) }));
export type Players = z.output<typeof players>;

/** The reason why the last start failed. */
const startFailure = z.object({
  /** A German sentence, which never contains a program's output. */
  text: z.string(),
  /**
   * The last output line of the program or engine. `null` if unknown, and for members without the
   * permission `admin`.
   */
  detail: z.nullable(z.string()),
  /** Time of the failure in ISO 8601, as all times here. */
  at: z.string(),
});
export type StartFailure = z.output<typeof startFailure>;

export const gameServer = z.object({
  id: z.int(),
  display_name: z.string(),
  state: serverState,
  /**
   * `true` if the container, unit or program does not exist. Otherwise `state: null` means that the
   * driver does not answer.
   */
  is_missing: z._default(z.boolean(), false),
  /**
   * `false` for a game server of a restored backup, until the operator enables it on the command
   * line.
   */
  is_active: z._default(z.boolean(), true),
  /**
   * Why the last start failed; `null` if the last start succeeded, or once the game server has run
   * again.
   */
  start_failure: z._default(z.nullable(startFailure), null),
  /** `host:port` at which players connect; `null` if not configured. */
  address: z.nullable(z.string()),
  /**
   * A Steam link that starts the game and connects to the server; `null` for games without such
   * links.
   */
  join_url: z.nullable(z.string().check(z.startsWith("steam://connect/"))),
  players,
  /** `true` if the game can be queried for its current players. */
  is_queryable: z._default(z.boolean(), true),
  /**
   * The member behind the last start or stop; `null` before the first one, and if the app started
   * or stopped the server automatically.
   */
  changed_by: z.nullable(
    z.object({
      name: z.string(),
      avatarId: z.nullable(z.string()),
      /** `true` if that member has deleted the account since; `name` is then a fixed text. */
      is_former: z._default(z.boolean(), false),
    }),
  ),
  changed_at: z.nullable(z.string()),
  /**
   * Time at which the app stops the empty server; `null` if no stop is due.
   */
  auto_stop_at: z.nullable(z.string()),
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

/**
 * Starts (`state` 1) or stops (`state` 2) a game server. Replies before the change is complete; the
 * result is published as an event.
 */
export const switchGameServer = endpoint("POST /api/game-servers/:id", {
  who: ["see-game-servers", "toggle-game-servers"],
  perMinute: 10,
  params,
  body: z.object({ state: field("Status", z.literal([1, 2])) }),
  reply: message,
});

/** Restarts the countdown after which an empty server is stopped. */
export const keepGameServerRunning = endpoint("POST /api/game-servers/:id/keep-running", {
  who: ["see-game-servers", "toggle-game-servers"],
  perMinute: 10,
  params,
  reply: message,
});

/**
 * A member or the app has started or stopped a game server, or the list of game servers has
 * changed. The event is sent only to members with `see-game-servers`.
 */
export const gameServersUpdated = event({
  channel: "private-game-servers",
  name: "updated",
  data: z.object({
    userId: z.nullable(z.int()),
    /** Id of the game server; 0 if the list of game servers has changed. */
    serverId: z.int(),
    /** A German sentence to show; if empty, pages only refetch the game servers. */
    message: z.string(),
    /**
     * Name of the member; `null` if the app acted automatically. Missing in events that a server of
     * the previous app version sends.
     */
    userName: z._default(z.nullable(z.string()), null),
    avatarId: z.nullable(z.string()),
    /** `true` if the start or stop failed. Missing in events from the previous app version. */
    is_failure: z._default(z.boolean(), false),
    /**
     * If the message describes a failed start: the `at` of that `start_failure`; otherwise `null`.
     * Missing in events from the previous app version.
     */
    failed_start_at: z._default(z.nullable(z.string()), null),
  }),
});

/**
 * Returns the sentence about a failed start; administrators also get the program's last output
 * line.
 */
export function describeFailure({ text, detail }: Pick<StartFailure, "text" | "detail">): string {
  return detail === null ? text : `${text} Letzte Meldung: ${detail}`;
}

/**
 * Returns the message preceded by the member's name. `userName` is `null` if the app acted
 * automatically.
 */
export function describeChange(userName: string | null, text: string): string {
  return userName === null ? text : `${userName}: ${text}`;
}

/**
 * The ways to start and stop a game server. In the browser, administrators can add only game
 * servers of the kind `docker`; all others are added on the command line.
 */
export const driverKinds = ["docker", "unit", "script", "command"] as const;
/** Protocols for querying a game for its current players. */
export const queryKinds = ["minecraft", "source", "quake3", "none"] as const;
/**
 * `name`: maximum length. `grace`: seconds that a stop may take before it is forced. `idleStop`:
 * minutes without players before the automatic stop.
 */
export const gameServerLimits = { name: 64, grace: { min: 0, max: 600 }, idleStop: { min: 1, max: 1440 } } as const;

const address = z.string().check(
  z.trim(),
  z.refine((text) => parseAddress(text) !== null, "invalid"),
);

const settings = {
  display_name: field("Name", readableText(gameServerLimits.name)),
  /** `host:port` at which players connect, and at which the app queries the current players. */
  address: field("Adresse", z.nullable(address)),
  query: field("Abfrage", z.enum(queryKinds)),
  grace: field("Frist", z.nullable(numberBetween(gameServerLimits.grace))),
  /** Minutes without players before the automatic stop; `null` disables the automatic stop. */
  idle_stop: field("Abschaltzeit", z.nullable(numberBetween(gameServerLimits.idleStop))),
};

export const managedGameServer = z.object({
  id: z.int(),
  display_name: z.string(),
  driver: z.enum(driverKinds),
  /**
   * Name of the container or unit; `null` for scripts and commands, because a command line may
   * contain passwords.
   */
  ref: z.nullable(z.string()),
  address: z.nullable(z.string()),
  query: z.enum(queryKinds),
  grace: z.nullable(z.int()),
  idle_stop: z.nullable(z.int()),
  state: serverState,
  /**
   * `false` for a game server of a restored backup, until the operator enables it on the command
   * line.
   */
  is_active: z._default(z.boolean(), true),
});
export type ManagedGameServer = z.output<typeof managedGameServer>;

/** Returns all game servers, in the order in which members see them. */
export const getManagedGameServers = endpoint("GET /api/admin/game-servers", {
  who: ["admin"],
  reply: z.array(managedGameServer),
});

/** Adds a game server that runs in a container; 422 at `ref` if the container does not exist. */
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

/** Updates a game server's settings. Its container, unit or program cannot be changed. */
export const changeGameServer = endpoint("POST /api/admin/game-servers/:id", {
  who: ["admin"],
  needsRecentPassword: true,
  params,
  maxBody: 4096,
  body: z.object(settings),
  reply: message,
});

/** Reorders the game servers; `ids` must list all of them. */
export const orderGameServers = endpoint("POST /api/admin/game-server-order", {
  who: ["admin"],
  maxBody: 4096,
  body: z.object({ ids: field("Reihenfolge", z.array(z.int())) }),
  reply: fixedMessage("Reihenfolge gespeichert."),
});

/** Removes a game server from the list. Does not stop a running game server. */
export const removeGameServer = endpoint("DELETE /api/admin/game-servers/:id", {
  who: ["admin"],
  needsRecentPassword: true,
  params,
  reply: fixedMessage("Game-Server entfernt."),
});

/**
 * Tests the connection to a game server. `ok`: reachable and set up; `message`: a German sentence
 * about its state.
 */
export const testGameServer = endpoint("POST /api/admin/game-servers/:id/test", {
  who: ["admin"],
  params,
  reply: z.object({ ok: z.boolean(), message: z.string() }),
});
