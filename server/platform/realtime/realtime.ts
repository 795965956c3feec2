import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import type { Db } from "#server/db/connect.ts";
import type { AccessScope } from "./bus.ts";
import type { ChannelSignature, UserSignature } from "./channels.ts";
import type { Access } from "./options.ts";

/**
 * Sends events to all open pages, through the embedded server or a hosted service. Methods with the
 * parameter `tx` are called in the transaction of a change, and take effect after its commit.
 * Outside of a transaction, pass the database as `tx`. These methods reject if the database is
 * down.
 */
export interface Realtime {
  /** Handles the HTTP server's "upgrade" event. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /**
   * Returns `true` if a feature registered this channel. Pages can subscribe only to registered
   * channels.
   */
  hasChannel(name: string): boolean;
  /** Sends an event to the subscribers on all instances. */
  publish(tx: Db, event: string, channel: string, data: object): Promise<void>;
  /** Signs the subscription of a socket for this session; throws 403 if it is not allowed. */
  authorizeChannel(request: { socketId: string; channel: string }, access: Access): ChannelSignature;
  /**
   * Returns the signature with which a socket signs in as the member of this session; throws 403 if
   * that is not allowed.
   */
  authenticateUser(socketId: string, access: Access): UserSignature;
  /**
   * Ends subscriptions and sockets that are not allowed any more. On this instance they have ended
   * when `inTransaction` resolves, on other instances soon after.
   */
  accessChanged(tx: Db, scope: AccessScope): Promise<void>;
  /** Binds the sockets of a session to the new hash of its id, without closing them. */
  sessionRotated(tx: Db, from: string, to: string): Promise<void>;
  /**
   * Returns the number of open sockets of this instance; `null` if a hosted service holds the
   * sockets.
   */
  countSockets(): number | null;
  /** Refuses new sockets. Resolves once all published events were written to the open sockets. */
  drain(): Promise<void>;
  /**
   * Calls `drain`, and then closes every socket with code 4100, over `spread` milliseconds if there
   * are many sockets. This is the last step of a shutdown; the bus remains open.
   */
  close(spread?: number): Promise<void>;
}
