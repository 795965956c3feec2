import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { event } from "./event.ts";
import { message, rowId } from "./fields.ts";
import { field } from "./labels.ts";

const params = z.object({ id: rowId });

/** Where a game listens. */
export interface GameAddress {
  readonly host: string;
  readonly port: number;
}

/** Reads `host:port`, with an IPv6 host in brackets; null: anything else. */
export function parseAddress(address: string): GameAddress | null {
  const [, bracketed, plain, digits] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9][A-Za-z0-9.-]{0,252})):(\d{1,5})$/.exec(address) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  return host !== undefined && port >= 1 && port <= 65_535 ? { host, port } : null;
}

/** Docker's own words, and starting and stopping. Null: unreachable, or not set up. */
export const serverState = z.nullable(z.object({ Status: z.string(), Running: z.boolean() }));
export type ServerState = z.output<typeof serverState>;

/** Who plays; null: unknown, never 0. `max` and `names` as far as the game tells. */
export const players = z.nullable(z.object({ online: z.int(), max: z.nullable(z.int()), names: z.array(z.string()) }));
export type Players = z.output<typeof players>;

/** Why the last start failed. */
const startFailure = z.object({
  /** A sentence without anything that a program said. */
  text: z.string(),
  /** The last line of the program or the engine; null: unknown, or the member is no administrator. */
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
  /** Null: it did not fail, or the server has run since. */
  start_failure: z._default(z.nullable(startFailure), null),
  /** `host:port` for the players. */
  address: z.nullable(z.string()),
  /** Starts the game and joins, where there is a link for that. */
  join_url: z.nullable(z.string().check(z.startsWith("steam://connect/"))),
  players,
  /** `true` if the game can be asked who plays. */
  is_queryable: z._default(z.boolean(), true),
  /** The member who started or stopped it last; null: none yet, or it happened by itself. Times in epoch ms. */
  changed_by: z.nullable(
    z.object({
      name: z.string(),
      avatarId: z.nullable(z.string()),
      /** `true` if the account was deleted since; `name` is then the same for all. */
      is_former: z._default(z.boolean(), false),
    }),
  ),
  changed_at: z.nullable(z.int()),
  /** When it stops by itself because nobody plays. */
  auto_stop_at: z.nullable(z.int()),
});
export type GameServer = z.output<typeof gameServer>;

export const getGameServers = endpoint("GET /api/game-servers", {
  who: ["see-game-servers"],
  reply: z.array(gameServer),
});

export const getGameServer = endpoint("GET /api/game-servers/:id", {
  who: ["see-game-servers"],
  params,
  reply: gameServer,
});

/** 1 starts, 2 stops. Answered at once; how it ends is an event on the channel. */
export const switchGameServer = endpoint("POST /api/game-servers/:id", {
  who: ["see-game-servers", "toggle-game-servers"],
  perMinute: 10,
  params,
  body: z.object({ state: field("Status", z.literal([1, 2])) }),
  reply: message,
});

/** Puts off the stop of an empty server: the wait begins again. */
export const keepGameServerRunning = endpoint("POST /api/game-servers/:id/keep-running", {
  who: ["see-game-servers", "toggle-game-servers"],
  perMinute: 10,
  params,
  reply: message,
});

/** A server was started or stopped by a member, or changed by itself. Only for members with see-game-servers. */
export const gameServersUpdated = event({
  channel: "private-game-servers",
  name: "updated",
  data: z.object({
    userId: z.nullable(z.int()),
    /** 0: the list itself changed. */
    serverId: z.int(),
    /** Empty: nothing to announce, only to read again. */
    message: z.string(),
    /** Missing in events of the version before. */
    userName: z._default(z.nullable(z.string()), null),
    avatarId: z.nullable(z.string()),
    /** Whether something went wrong. Missing in events of the version before. */
    is_failure: z._default(z.boolean(), false),
  }),
});

/** The sentence about a failed start, for administrators with the last line of the program. */
export function describeFailure({ text, detail }: Pick<StartFailure, "text" | "detail">): string {
  return detail === null ? text : `${text} Letzte Meldung: ${detail}`;
}

/** The message with who did it in front; `userName` null: it happened by itself. */
export function describeChange(userName: string | null, text: string): string {
  return userName === null ? text : `${userName}: ${text}`;
}
