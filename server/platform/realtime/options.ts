import type { IncomingMessage } from "node:http";

import type { Permission } from "#contract/endpoint.ts";
import type { RateLimiter } from "#server/platform/http/rate-limit.ts";
import type { Log } from "#server/platform/log.ts";
import { minutes, seconds } from "#server/time.ts";
import type { Bus } from "./bus.ts";

/** The member whom a session belongs to, when it was read. */
export interface Access {
  /** SHA-256 of the session's id, as stored. */
  readonly sessionId: string;
  readonly userId: number;
  readonly name: string;
  readonly avatarId: string | null;
  readonly permissions: readonly Permission[];
  /** Whether the others may see that this member is present. */
  readonly isShown: boolean;
}

/** A channel, registered by its feature. Every member may join, or only those with the permission. */
export interface RealtimeChannel {
  readonly name: string;
  readonly permission?: Permission;
  /** The channel's current version, sent to everybody who joins, so that unchanged pages need no refetch. */
  version?(): Promise<number>;
  /** The event to send where events may have been missed. */
  resync?(): Promise<{ event: string; data: object }>;
}

export interface RealtimeOptions {
  readonly key: string;
  readonly secret: string;
  /** Only these origins may open sockets, and programs that send no Origin. */
  readonly origins: readonly string[];
  isAllowedHost(host: string | undefined): boolean;
  readonly maxSockets: number;
  readonly maxPerUser: number;
  readonly maxPerIp: number;
  /** Headers of every answer, also of a refused upgrade. */
  readonly headers: Readonly<Record<string, string>>;
  readonly log: Log;
  readonly bus: Bus;
  readonly channels: readonly RealtimeChannel[];
  /** The access of each of these sessions; ended ones, and those of disabled members, are missing. */
  findAccess(sessionIds: readonly string[]): Promise<Map<string, Access>>;
  /** The session hash from an upgrade's Cookie header; null without a session cookie. */
  readSession(request: IncomingMessage): string | null;
  /** The keys of the client's address, trusted proxies considered. */
  addressKeys(request: IncomingMessage): readonly string[];
  /** Limits the upgrade requests of an address. */
  readonly upgradeLimit: Pick<RateLimiter, "admits">;
  readonly timings?: Partial<Timings>;
}

/** All in milliseconds. Tests pass shorter ones. */
export type Timings = typeof defaultTimings;

export const defaultTimings = {
  /** Interval of the heartbeat. */
  beat: seconds(5),
  pingEvery: seconds(25),
  /** A client that does not answer a ping within this time is cut. pingEvery + pongWithin + 2 beats stay below 60 s. */
  pongWithin: seconds(20),
  /** A client that reads nothing of what waits for it within this time is cut. */
  stalledAfter: seconds(30),
  /** An anonymous socket is closed after this time. */
  anonymousFor: seconds(30),
  /** How often everything is read again that a message should have told: its sender may have died before it. */
  sweepEvery: minutes(1),
  /** How long a message may take from the change to its receivers. */
  messageWait: seconds(2),
  /** A member who is back within this time is not reported as gone: a reload takes less. */
  presenceGrace: seconds(5),
  rosterEvery: seconds(10),
  rosterLost: seconds(30),
  /** How long a subscription waits for the grant of another instance. */
  grantWait: seconds(2),
  /** How long a closing server waits for clients to confirm before it cuts them. */
  closeWait: seconds(1.5),
};
