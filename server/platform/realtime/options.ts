import type { IncomingMessage } from "node:http";

import type { Permission } from "#contract/endpoint.ts";
import type { RateLimiter } from "#server/platform/http/rate-limit.ts";
import type { Log } from "#server/platform/log.ts";
import { minutes, seconds } from "#server/time.ts";
import type { Bus } from "./bus.ts";

/** A session's member and that member's permissions, as of the last read. */
export interface Access {
  /** SHA-256 of the session's id, as stored. */
  readonly sessionId: string;
  readonly userId: number;
  readonly name: string;
  readonly avatarId: string | null;
  readonly permissions: readonly Permission[];
  /** `true` if other members may see that this member is present. */
  readonly isShown: boolean;
}

/** A channel that a feature registered. All members may join, or only those with the permission. */
export interface RealtimeChannel {
  readonly name: string;
  readonly permission?: Permission;
  /** Returns the channel's current version, which each new subscriber gets, so that unchanged pages need no refetch. */
  version?(): Promise<number>;
  /** Returns the event to send when subscribers may have missed events. */
  resync?(): Promise<{ event: string; data: object }>;
}

export interface RealtimeOptions {
  readonly key: string;
  readonly secret: string;
  /** The origins that may open sockets; programs that send no Origin header may open them too. */
  readonly origins: readonly string[];
  isAllowedHost(host: string | undefined): boolean;
  readonly maxSockets: number;
  readonly maxPerUser: number;
  readonly maxPerIp: number;
  /** Headers of every answer, including refused upgrades. */
  readonly headers: Readonly<Record<string, string>>;
  readonly log: Log;
  readonly bus: Bus;
  readonly channels: readonly RealtimeChannel[];
  /** Returns the access of each of these sessions; ended sessions and those of disabled members are missing. */
  findAccess(sessionIds: readonly string[]): Promise<Map<string, Access>>;
  /** Returns the session hash from the upgrade's Cookie header; `null` without a session cookie. */
  readSession(request: IncomingMessage): string | null;
  /** Returns the rate limit keys of the client's address, behind trusted proxies too. */
  addressKeys(request: IncomingMessage): readonly string[];
  /** The limit for upgrade requests per address. */
  readonly upgradeLimit: Pick<RateLimiter, "admits">;
  readonly timings?: Partial<Timings>;
}

/** Durations in milliseconds; tests use shorter ones. */
export type Timings = typeof defaultTimings;

export const defaultTimings = {
  /** Interval of the heartbeat. */
  beat: seconds(5),
  pingEvery: seconds(25),
  /** Time to answer a ping before the client is cut. pingEvery + pongWithin + 2 beats must be less than 60 s. */
  pongWithin: seconds(20),
  /** Time after which a client is cut if it reads none of its pending data. */
  stalledAfter: seconds(30),
  /** Time after which an anonymous socket is closed. */
  anonymousFor: seconds(30),
  /** Interval for rereading access and states, because a crashed sender may not have announced a change. */
  sweepEvery: minutes(1),
  /** Maximum time for a message from the change to its receivers. */
  messageWait: seconds(2),
  /** Time for a member to reconnect before being reported as absent; a reload takes less. */
  presenceGrace: seconds(5),
  rosterEvery: seconds(10),
  rosterLost: seconds(30),
  /** Time that a subscription waits for another instance's grant. */
  grantWait: seconds(2),
  /** Time that a closing server waits for clients to confirm before it cuts them. */
  closeWait: seconds(1.5),
};
