import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import type { Db } from "#server/db/connect.ts";
import type { AccessScope } from "./bus.ts";
import type { ChannelSignature, UserSignature } from "./channels.ts";
import type { Access } from "./options.ts";

/**
 * Sends events to all open pages, through the embedded server or a hosted service. Methods with `tx` are called in the
 * transaction of a change, and take effect after its commit. Outside of a transaction, pass the database as `tx`. These
 * methods reject if the database is down.
 */
export interface Realtime {
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Pages can subscribe only to channels that a feature registered. */
  hasChannel(name: string): boolean;
  /** Reaches the subscribers on all instances. */
  publish(tx: Db, event: string, channel: string, data: object): Promise<void>;
  /** Throws 403 if the subscription is not allowed. */
  authorizeChannel(request: { socketId: string; channel: string }, access: Access): ChannelSignature;
  /** Throws 403 if the sign-in is not allowed. */
  authenticateUser(socketId: string, access: Access): UserSignature;
  /**
   * Ends subscriptions and sockets that are not allowed any more: on this instance before `inTransaction` resolves, on
   * other instances soon after.
   */
  accessChanged(tx: Db, scope: AccessScope): Promise<void>;
  /** `from` and `to` are hashes of the session id. Does not close the sockets. */
  sessionRotated(tx: Db, from: string, to: string): Promise<void>;
  /** `null` if a hosted service holds the sockets. */
  countSockets(): number | null;
  /** Refuses new sockets. Resolves once all published events were written to the open sockets. */
  drain(): Promise<void>;
  /**
   * Calls `drain`, and closes every socket with code 4100, many sockets over `spread` ms. Last step of a shutdown; the
   * bus remains open.
   */
  close(spread?: number): Promise<void>;
}
