import type { IncomingMessage } from "node:http";

import type { Permission } from "#contract/endpoint.ts";
import type { RateLimiter } from "#server/platform/limits/limits.ts";
import type { Log } from "#server/platform/log.ts";
import { minutes, seconds } from "#server/time.ts";
import type { Bus } from "./bus.ts";

/** Member of a session, with the permissions as last read. */
export interface Access {
  /** SHA-256, as stored in the database. */
  readonly sessionId: string;
  readonly userId: number;
  readonly name: string;
  readonly avatarId: string | null;
  readonly permissions: readonly Permission[];
  /** Other members may see that this member is present. */
  readonly isShown: boolean;
  /** Changes with the data that the member's own pages show; absent if the data were not read. */
  readonly memberVersion?: string;
}

/** With `permission`, only members with that permission may subscribe. */
export interface RealtimeChannel {
  readonly name: string;
  readonly permission?: Permission;
  /**
   * For a new subscriber, whose page then needs no refetch. The version rises with every change of the channel's data;
   * the data of this member belong to that version.
   */
  state?(userId: number): Promise<VersionedState>;
  /**
   * Merges two events with a `version` and the same name. If this method exists, such events are sent at most ten times
   * a second, and those that come too soon are merged.
   */
  merge?(event: string, earlier: object, later: object): object;
  /** Event with the current state, for subscribers that may have missed events. */
  resync?(): Promise<{ event: string; data: object }>;
}

export interface VersionedState {
  readonly version: number;
}

export interface RealtimeOptions {
  readonly key: string;
  /** For new signatures. */
  readonly secret: string;
  /** Tries the current secret, and the previous one during the hour after a rotation. */
  acceptsSecret(matches: (secret: string) => boolean): Promise<boolean>;
  /** Programs that send no Origin header may open sockets too. */
  readonly origins: readonly string[];
  isAllowedHost(host: string | undefined): boolean;
  readonly maxSockets: number;
  /** On all instances together. */
  readonly maxPerUser: number;
  readonly maxPerIp: number;
  /** Also sent with answers that refuse a WebSocket. */
  readonly headers: Readonly<Record<string, string>>;
  readonly log: Log;
  readonly bus: Bus;
  readonly channels: readonly RealtimeChannel[];
  /** By session hash. Omits ended sessions and those of disabled members. */
  findAccess(sessionIds: readonly string[]): Promise<Map<string, Access>>;
  /** At least 1. */
  countInstances(): number;
  /** Changes with the group settings that all pages show. */
  settingsVersion(): string;
  /** Hash of the session in the Cookie header. */
  readSession(request: IncomingMessage): string | null;
  /** Rate limit keys; a trusted proxy may report the address. */
  addressKeys(request: IncomingMessage): readonly string[];
  /** Per address, and per member for members who are logged in. */
  readonly upgradeLimit: Pick<RateLimiter, "admits" | "uncount">;
  readonly timings?: Partial<Timings>;
}

/** Milliseconds; tests pass shorter durations. */
export type Timings = typeof defaultTimings;

export const defaultTimings = {
  /** Interval of the checks of all connections (heartbeat.ts). */
  beat: seconds(5),
  pingEvery: seconds(25),
  /** Time to answer a ping. pingEvery + pongWithin + 2 beats must be less than 60 s. */
  pongWithin: seconds(20),
  /** Time after which a client that reads none of its pending data is disconnected. */
  stalledAfter: seconds(30),
  /** Time after which an anonymous socket is closed. */
  anonymousFor: seconds(30),
  /** Interval at which the access of all sockets and the state of all channels are read again, as a safety net. */
  sweepEvery: minutes(1),
  /** Maximum time from a change to the receivers of its message. */
  messageWait: seconds(2),
  /** Time in which a member can reconnect without being reported as absent. Reloading a page takes less. */
  presenceGrace: seconds(5),
  /** Minimum time between two messages about present members, to pages and to other instances. */
  presenceEvery: seconds(0.5),
  rosterEvery: seconds(10),
  rosterLost: seconds(30),
  /** Time in which clients can confirm the close at a shutdown, before they are disconnected. */
  closeWait: seconds(1.5),
};
