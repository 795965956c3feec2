import type { IncomingMessage } from "node:http";

import type { Permission } from "#contract/endpoint.ts";
import type { RateLimiter } from "#server/platform/limits/limits.ts";
import type { Log } from "#server/platform/log.ts";
import { minutes, seconds } from "#server/time.ts";
import type { Bus } from "./bus.ts";

/** The member of a session with the member's permissions, as they were last read. */
export interface Access {
  /** SHA-256 of the session id, as stored in the database. */
  readonly sessionId: string;
  readonly userId: number;
  readonly name: string;
  readonly avatarId: string | null;
  readonly permissions: readonly Permission[];
  /** `true` if other members may see that this member is present: neither hidden nor paused. */
  readonly isShown: boolean;
  /**
   * Text that changes with the data that the member's own pages show; absent if the data were not
   * read.
   */
  readonly memberVersion?: string;
}

/**
 * A channel that a feature registered. With `permission`, only members with that permission may
 * subscribe.
 */
export interface RealtimeChannel {
  readonly name: string;
  readonly permission?: Permission;
  /**
   * Returns the channel's current state for a new subscriber: the version, a number that rises with
   * every change of the channel's data, and data of this member that belong to that version. A page
   * that gets the state needs no refetch.
   */
  state?(userId: number): Promise<VersionedState>;
  /**
   * Merges two events of this channel that have a `version` and the same name. If this method
   * exists, such events are sent at most ten times a second, and those that come too soon are
   * merged.
   */
  merge?(event: string, earlier: object, later: object): object;
  /** Returns an event with the current state, for subscribers that may have missed events. */
  resync?(): Promise<{ event: string; data: object }>;
}

export interface VersionedState {
  readonly version: number;
}

export interface RealtimeOptions {
  readonly key: string;
  /** The secret for new signatures. */
  readonly secret: string;
  /**
   * Returns `true` if `matches` accepts the current secret, or the previous one during the hour
   * after a rotation.
   */
  acceptsSecret(matches: (secret: string) => boolean): Promise<boolean>;
  /**
   * Origins whose pages may open sockets. Programs that send no Origin header may open sockets too.
   */
  readonly origins: readonly string[];
  isAllowedHost(host: string | undefined): boolean;
  readonly maxSockets: number;
  /** Maximum sockets of a member on all instances together. */
  readonly maxPerUser: number;
  readonly maxPerIp: number;
  /** Headers of every HTTP answer, including answers that refuse a WebSocket. */
  readonly headers: Readonly<Record<string, string>>;
  readonly log: Log;
  readonly bus: Bus;
  readonly channels: readonly RealtimeChannel[];
  /**
   * Returns the access of these sessions by session hash. Omits ended sessions and sessions of
   * disabled members.
   */
  findAccess(sessionIds: readonly string[]): Promise<Map<string, Access>>;
  /** Returns the number of running instances, at least 1. */
  countInstances(): number;
  /** Returns a text that changes with the group settings that all pages show. */
  settingsVersion(): string;
  /**
   * Returns the session hash from the Cookie header of an upgrade request; `null` without a session
   * cookie.
   */
  readSession(request: IncomingMessage): string | null;
  /** Returns the rate limit keys of the client's address, which a trusted proxy may report. */
  addressKeys(request: IncomingMessage): readonly string[];
  /** Rate limit of WebSocket requests per address, and per member for members who are logged in. */
  readonly upgradeLimit: Pick<RateLimiter, "admits" | "uncount">;
  readonly timings?: Partial<Timings>;
}

/** Durations in milliseconds; tests pass shorter ones. */
export type Timings = typeof defaultTimings;

export const defaultTimings = {
  /** Interval at which all connections are checked (heartbeat.ts). */
  beat: seconds(5),
  pingEvery: seconds(25),
  /**
   * Time in which a client must answer a ping, otherwise it is disconnected. pingEvery + pongWithin
   * + 2 beats must be less than 60 s.
   */
  pongWithin: seconds(20),
  /** Time after which a client is disconnected if it reads none of its pending data. */
  stalledAfter: seconds(30),
  /** Time after which an anonymous socket is closed. */
  anonymousFor: seconds(30),
  /**
   * Interval at which the access of all sockets and the state of all channels are read again, in
   * case a change was not announced.
   */
  sweepEvery: minutes(1),
  /** Maximum time that a message takes from a change to its receivers. */
  messageWait: seconds(2),
  /**
   * Time in which a member can reconnect before the member is reported as absent. Reloading a page
   * takes less.
   */
  presenceGrace: seconds(5),
  /**
   * Minimum time between two messages about present members, both to pages and to other instances.
   */
  presenceEvery: seconds(0.5),
  rosterEvery: seconds(10),
  rosterLost: seconds(30),
  /**
   * Time that a server waits at its shutdown for clients to confirm the close, before it
   * disconnects them.
   */
  closeWait: seconds(1.5),
};
