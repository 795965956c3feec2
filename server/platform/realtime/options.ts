import type { IncomingMessage } from "node:http";

import type { Permission } from "#contract/endpoint.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Log } from "#server/platform/log.ts";

import type { Bus } from "./bus.ts";

/** Who a session belongs to at the moment it was asked for. */
export interface Access {
  /** SHA-256 of the session's id, as stored. */
  readonly sessionId: string;
  readonly userId: number;
  readonly name: string;
  readonly avatarId: string | null;
  readonly permissions: readonly Permission[];
  /** Whether the others may see that he or she is here. */
  readonly isShown: boolean;
}

/** A channel members may join; without a permission every member may. */
export interface RealtimeChannel {
  readonly name: string;
  readonly permission?: Permission;
  /** The channel's current version, told to everybody who joins, so that unchanged pages need no refetch. */
  version?(): Promise<number>;
  /** What to broadcast where events may have been missed; null where there is nothing to say. */
  resync?(): Promise<{ event: string; data: object } | null>;
}

export interface RealtimeOptions {
  readonly key: string;
  readonly secret: string;
  readonly appId: string;
  /** Exactly these origins may open sockets; programs that send no Origin may too. */
  readonly origins: readonly string[];
  readonly maxSockets: number;
  readonly maxPerUser: number;
  readonly maxPerIp: number;
  /** What every answer carries, a refused upgrade too. */
  readonly headers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly log: Log;
  readonly bus: Bus;
  readonly channels: readonly RealtimeChannel[];
  /** Who each of these sessions belongs to now; sessions that ended or whose member is disabled are missing. */
  findAccess(sessionIds: readonly string[]): Promise<Map<string, Access>>;
  /** The session hash behind an upgrade's Cookie header, null without a session cookie. */
  readSession(request: IncomingMessage): string | null;
  /** The client's address, seen through trusted proxies. */
  clientAddress(request: IncomingMessage): string;
  readonly timings?: Partial<Timings>;
}

/** All in milliseconds. Tests pass shorter ones. */
export interface Timings {
  /** How often the heartbeat looks at every socket. */
  readonly beat: number;
  readonly pingEvery: number;
  /** A peer that shows no sign of life for so long after a ping is gone. pingEvery + pongWithin + 2 beats stay below 60 s. */
  readonly pongWithin: number;
  /** A socket that took nothing of what waits for it in this time is cut. */
  readonly stalledAfter: number;
  readonly accessSweepEvery: number;
  /** How long a member may be away without being reported as gone: a reload takes less. */
  readonly presenceGrace: number;
  readonly rosterEvery: number;
  readonly rosterLost: number;
  /** How long a subscription waits for another instance to tell that it signed it. */
  readonly grantWait: number;
  /** How long a closing server waits for clients to confirm before it cuts them. */
  readonly closeWait: number;
}

export const defaultTimings: Timings = {
  beat: 5_000,
  pingEvery: 25_000,
  pongWithin: 20_000,
  stalledAfter: 30_000,
  accessSweepEvery: 60_000,
  presenceGrace: 5_000,
  rosterEvery: 10_000,
  rosterLost: 30_000,
  grantWait: 2_000,
  closeWait: 1_500,
};
