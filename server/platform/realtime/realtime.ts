import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import type { AccessScope } from "./bus.ts";
import type { ChannelSignature, UserSignature } from "./channels.ts";
import type { Access } from "./options.ts";

/** Sends events to all open pages, through the embedded server or a hosted service. */
export interface Realtime {
  /** Handles the HTTP server's "upgrade" event. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Returns `true` if a feature registered this channel, so that pages can subscribe to it. */
  hasChannel(name: string): boolean;
  /** Broadcasts after the commit, here and on the other instances. Never throws or waits. */
  publish(event: string, channel: string, data: object): void;
  /** Signs a subscription of this socket for this session; throws 403 if it is not allowed. */
  authorizeChannel(request: { socketId: string; channel: string }, access: Access): ChannelSignature;
  /** Signs a sign-in of this socket for this session; throws 403 if it is not allowed. */
  authenticateUser(socketId: string, access: Access): UserSignature;
  /**
   * Ends subscriptions and sockets that are no longer allowed: here before it resolves, on the other instances soon after. Never
   * rejects.
   */
  accessChanged(scope: AccessScope): Promise<void>;
  /** Moves the session's sockets to its new hash without closing them. */
  sessionRotated(from: string, to: string): void;
  /** Returns the number of open sockets of this instance; `null` if a hosted service has them. */
  countSockets(): number | null;
  /** Refuses new sockets from now on; resolves once all published events were written to the open sockets. */
  drain(): Promise<void>;
  /** Drains, then closes every socket with 4100 as the last step of a shutdown. The bus remains open. */
  close(): Promise<void>;
}
