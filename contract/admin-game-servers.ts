import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage, message, numberBetween, readableText, rowId } from "./fields.ts";
import { parseAddress, serverState } from "./game-servers.ts";
import { field } from "./labels.ts";

const params = z.object({ id: rowId });

/** How a server is started and stopped. Pages can only add `docker`; the others are added on the command line. */
export const driverKinds = ["docker", "unit", "script", "command"] as const;
/** How players are counted. */
export const queryKinds = ["minecraft", "source", "quake3", "none"] as const;
/** `grace`: seconds a stop may take before it is forced; `idle_stop`: minutes without players. */
export const gameServerLimits = { name: 64, grace: { min: 0, max: 600 }, idleStop: { min: 1, max: 1440 } } as const;

const address = z.string().check(
  z.trim(),
  z.refine((text) => parseAddress(text) !== null, "V-in"),
);

const settings = {
  display_name: field("Name", readableText(gameServerLimits.name)),
  /** `host:port` for the players and for counting them. */
  address: field("Adresse", z.nullable(address)),
  query: field("Abfrage", z.enum(queryKinds)),
  grace: field("Frist", z.nullable(numberBetween(gameServerLimits.grace))),
  /** Null: never stops by itself. */
  idle_stop: field("Abschaltzeit", z.nullable(numberBetween(gameServerLimits.idleStop))),
};

export const managedGameServer = z.object({
  id: z.int(),
  display_name: z.string(),
  driver: z.enum(driverKinds),
  /** The container or unit; null for programs, whose command lines may contain passwords. */
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

/** In the order in which the members see them. */
export const getManagedGameServers = endpoint("GET /api/admin/game-servers", {
  who: ["admin"],
  reply: z.array(managedGameServer),
});

/** Adds a container; 422 at `ref` where there is none of that name. */
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

/** Changes everything but what is started. */
export const changeGameServer = endpoint("POST /api/admin/game-servers/:id", {
  who: ["admin"],
  needsRecentPassword: true,
  params,
  maxBody: 4096,
  body: z.object(settings),
  reply: message,
});

/** The ids of all servers in their new order. */
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

/** Inspects it now. `ok`: it is reachable and set up; the message describes its state. */
export const testGameServer = endpoint("POST /api/admin/game-servers/:id/test", {
  who: ["admin"],
  params,
  reply: z.object({ ok: z.boolean(), message: z.string() }),
});
