import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import type { AccessScope } from "./bus.ts";
import type { ChannelSignature, UserSignature } from "./channels.ts";
import type { Access } from "./options.ts";

/** Events to everybody who has a page open, through the embedded server or a hosted service. */
export interface Realtime {
  /** For the HTTP server's "upgrade" event. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Whether a feature registered this channel, so that pages can subscribe to it. */
  hasChannel(name: string): boolean;
  /** Broadcasts after the commit, here and on the other instances. Never fails and never waits. */
  publish(event: string, channel: string, data: object): void;
  /** Signs one subscription of this socket for this session; 403 where it is not allowed. */
  authorizeChannel(request: { socketId: string; channel: string }, access: Access): ChannelSignature;
  /** Signs one sign-in of this socket for this session; 403 where it is not allowed. */
  authenticateUser(socketId: string, access: Access): UserSignature;
  /** Ends here what is no longer allowed before it resolves, and on the other instances soon after. Never rejects. */
  accessChanged(scope: AccessScope): Promise<void>;
  /** The session continues under a new hash: its sockets stay. */
  sessionRotated(from: string, to: string): void;
  /** Refuses new sockets from now on; resolves when everything published so far was handed to the open ones. */
  drain(): Promise<void>;
  /** Drains, then closes every socket with 4100; the last step of a stop. The bus stays open. */
  close(): Promise<void>;
}
