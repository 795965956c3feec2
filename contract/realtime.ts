import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { field } from "./labels.ts";

/**
 * Restricts the characters, because the Pusher protocol signs a text that joins these values with
 * an unescaped `:`.
 */
const socketId = z.string().check(z.regex(/^\d+\.\d+$/));
const channelName = z.string().check(z.regex(/^[A-Za-z0-9_\-=@,.;]{1,164}$/));

/**
 * Signs the subscription of a WebSocket connection to a channel. Accepts a form, because pusher-js
 * sends a form.
 */
export const authorizeChannel = endpoint("POST /broadcasting/auth", {
  who: "member",
  rate: { per: "session", limit: 240, seconds: 60 },
  maxBody: 2048,
  acceptsForm: true,
  body: z.object({ socket_id: field("Verbindung", socketId), channel_name: field("Kanal", channelName) }),
  reply: z.object({ auth: z.string(), channel_data: z.optional(z.string()) }),
});

/** Returns a signature with which a WebSocket connection signs in as the requesting member. */
export const authenticateUser = endpoint("POST /broadcasting/user-auth", {
  who: "member",
  rate: { per: "session", limit: 240, seconds: 60 },
  maxBody: 2048,
  acceptsForm: true,
  body: z.object({ socket_id: field("Verbindung", socketId) }),
  reply: z.object({ auth: z.string(), user_data: z.string() }),
});
