import { hash } from "node:crypto";

import { presenceChannel, userChannelPrefix } from "#contract/event.ts";
import { systemClock } from "#server/platform/clock.ts";
import { createRateLimiter } from "#server/platform/limits/limits.ts";
import type { Authorization } from "./authorization.ts";
import type { Broadcasts } from "./broadcasts.ts";
import { canJoin, type Channels, encodeUserData } from "./channels.ts";
import { type Connection, sendFrame } from "./connection.ts";
import type { Hub } from "./hub.ts";
import type { Access, RealtimeOptions } from "./options.ts";
import type { Presence } from "./presence.ts";
import {
  clientEventRefused,
  closeCodes,
  encodeError,
  encodeFrame,
  encodeSubscriptionError,
  type Frame,
  isRecord,
  maxChannelsPerSocket,
  parseJson,
  readFrame,
} from "./protocol.ts";
import {
  type Credentials,
  credentialsOfSession,
  isChannelName,
  isSignature,
  signChannel,
  signUser,
  splitSession,
} from "./signatures.ts";

/** Per socket. The protocol promises this limit, so no factor multiplies it. */
const messageRate = { limit: 60, seconds: 60, isFixed: true } as const;
const refusalsBeforeClose = 3;
/** Hexadecimal digits: less than 2^48, so JavaScript numbers are exact. */
const versionDigits = 12;

/** Answers the messages of clients, one at a time per connection. Never throws. */
export function createMessageHandler(parts: {
  options: Pick<RealtimeOptions, "key" | "acceptsSecret" | "log" | "settingsVersion">;
  hub: Hub;
  presence: Presence;
  authorization: Authorization;
  broadcasts: Broadcasts;
  channels: Channels;
}): (connection: Connection, message: Buffer, isBinary: boolean) => void {
  const { options, hub, presence, authorization, broadcasts, channels } = parts;
  const messageLimit = createRateLimiter(messageRate, { clock: systemClock });

  async function answer(connection: Connection, text: string): Promise<void> {
    if (!hub.has(connection)) return;
    const frame = readFrame(text);
    if (!frame) return sendFrame(connection, encodeError(null, "Not a message of this protocol"));
    const { event, data } = frame;
    if (event === "pusher:ping") sendFrame(connection, encodeFrame("pusher:pong", {}));
    else if (event === "pusher:pong") return;
    else if (event === "pusher:subscribe") await subscribe(connection, data);
    else if (event === "pusher:unsubscribe") unsubscribe(connection, data["channel"]);
    else if (event === "pusher:signin") await signIn(connection, data);
    else if (event.startsWith("client-")) {
      sendFrame(connection, encodeError(clientEventRefused, "Client events are not accepted"));
    } else sendFrame(connection, encodeError(null, "Unknown event"));
  }

  function refuseMessage(connection: Connection, refusals: number): void {
    sendFrame(connection, encodeError(clientEventRefused, "Too many messages"));
    if (refusals === refusalsBeforeClose) hub.disconnect(connection, closeCodes.unauthorized, "Too many messages");
  }

  async function subscribe(connection: Connection, data: Frame["data"]): Promise<void> {
    const name = data["channel"];
    if (typeof name !== "string" || name.length > 200) {
      return sendFrame(connection, encodeError(null, "A subscription needs a channel"));
    }
    if (connection.channels.has(name)) return sendFrame(connection, encodeError(null, "Already subscribed"));
    const refusal = name.startsWith(userChannelPrefix)
      ? await joinUserChannel(connection, name)
      : await joinChannel(connection, name, data);
    if (refusal) sendFrame(connection, encodeSubscriptionError(name, refusal.status, refusal.error));
  }

  async function joinUserChannel(connection: Connection, name: string): Promise<Refusal | null> {
    const { access } = connection;
    const isOwn = connection.isSignedIn && access && name === `${userChannelPrefix}${access.userId}`;
    if (!isOwn) return unauthorized("Sign in first");
    hub.join(connection, name);
    // Read after the join, so that the page receives an event about every change after the read.
    const found = await authorization.loadAccess(access.sessionId).catch(() => undefined);
    if (connection.channels.has(name)) confirm(connection, name, versionOfPage(found?.memberVersion));
    return null;
  }

  async function joinChannel(connection: Connection, name: string, data: Frame["data"]): Promise<Refusal | null> {
    const channel = channels.get(name);
    if (!isChannelName(name) || !channel) return { status: 403, error: "No such channel" };
    if (connection.channels.size >= maxChannelsPerSocket) return { status: 403, error: "Too many channels" };

    const channelData = typeof data["channel_data"] === "string" ? data["channel_data"] : undefined;
    const hasToken = isTokenOf(connection, data["auth"]);
    const isAuthorized =
      hasToken ||
      (await checkSignature(connection, data["auth"], (credentials) =>
        signChannel(credentials, connection.socketId, name, channelData),
      ));
    if (!isAuthorized) return unauthorized("Not authorized for this socket and session");
    const userId = connection.access?.userId;
    if (userId === undefined) return null;
    const state = await broadcasts.stateFor(channel, userId);

    // Must follow the wait, in which the access may have changed. The following code is synchronous.
    const { access } = connection;
    if (!hub.has(connection) || access?.userId !== userId) return null;
    if (!canJoin(channel, access)) return { status: 403, error: "Permission missing" };
    if (name !== presenceChannel) {
      hub.join(connection, name);
      confirm(connection, name, state);
      return null;
    }
    if (!hasToken && !isSameUser(parseJson(channelData ?? ""), "user_id", access))
      return unauthorized("Somebody else's channel_data");
    hub.join(connection, name);
    presence.addConnection(connection, access);
    return null;
  }

  async function signIn(connection: Connection, data: Frame["data"]): Promise<void> {
    if (connection.access && isTokenOf(connection, data["auth"])) {
      return confirmSignIn(connection, encodeUserData(connection.access));
    }
    const userData = typeof data["user_data"] === "string" ? data["user_data"] : "";
    const isAuthorized = await checkSignature(connection, data["auth"], (credentials) =>
      signUser(credentials, connection.socketId, userData),
    );
    if (!isAuthorized || !connection.access) return refuseSignIn(connection);
    if (!isSameUser(parseJson(userData), "id", connection.access)) return refuseSignIn(connection);
    confirmSignIn(connection, userData);
  }

  function confirmSignIn(connection: Connection, userData: string): void {
    connection.isSignedIn = true;
    sendFrame(connection, encodeFrame("pusher:signin_success", { user_data: userData }));
  }

  function refuseSignIn(connection: Connection): void {
    sendFrame(connection, encodeError(closeCodes.unauthorized, "Sign-in refused"));
    hub.disconnect(connection, closeCodes.unauthorized, "Sign-in refused");
  }

  /** Binds an anonymous connection to the session that the signature names. */
  async function checkSignature(
    connection: Connection,
    auth: unknown,
    sign: (credentials: Credentials) => string,
  ): Promise<boolean> {
    const { signature, sessionId = connection.access?.sessionId } = splitSession(auth);
    if (sessionId === undefined) return false;
    const isOurs = await options.acceptsSecret((secret) =>
      isSignature(signature, sign(credentialsOfSession({ key: options.key, secret }, sessionId))),
    );
    if (!isOurs) return false;
    if (connection.access) return connection.access.sessionId === sessionId;
    return authorization.bind(connection, sessionId);
  }

  /** A page that reconnects need not refetch the member and the group settings if their version is unchanged. */
  function versionOfPage(memberVersion: string | undefined): { version?: number } {
    if (memberVersion === undefined) return {};
    const digest = hash("sha256", `${memberVersion} ${options.settingsVersion()}`);
    return { version: Number.parseInt(digest.slice(0, versionDigits), 16) };
  }

  function confirm(connection: Connection, channel: string, data: object): void {
    sendFrame(connection, encodeFrame("pusher_internal:subscription_succeeded", data, channel));
  }

  function unsubscribe(connection: Connection, channel: unknown): void {
    if (typeof channel !== "string" || !connection.channels.has(channel)) return;
    hub.leave(connection, channel);
  }

  return (connection, message, isBinary) => {
    if (isBinary) return hub.disconnect(connection, closeCodes.binaryRefused, "Text only");
    const refusals = -messageLimit.count([connection.socketId]).left;
    if (refusals > refusalsBeforeClose) return;
    connection.work = connection.work
      .then(() => (refusals > 0 ? refuseMessage(connection, refusals) : answer(connection, message.toString("utf8"))))
      .catch((error: unknown) => {
        options.log.warn("socket-message-failed", { error: String(error) });
        sendFrame(connection, encodeError(null, "Not possible at the moment"));
      });
  };
}

interface Refusal {
  readonly status: 401 | 403;
  readonly error: string;
}

function unauthorized(error: string): Refusal {
  return { status: 401, error };
}

function isTokenOf({ token }: Connection, auth: unknown): boolean {
  return token !== null && isSignature(auth, token);
}

function isSameUser(data: unknown, field: "id" | "user_id", access: Access): boolean {
  return isRecord(data) && String(data[field]) === String(access.userId);
}
