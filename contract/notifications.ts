import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage, rowId } from "./fields.ts";
import { field } from "./labels.ts";

/** The kinds of notifications; the settings have a switch for each. */
export const notificationKinds = ["beers", "game_servers", "calendar", "party"] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/**
 * Matches the pages that a tapped notification may open. `party?id=` is the address in pushes of
 * earlier versions.
 */
export const notifiedPage = z
  .string()
  .check(z.regex(/^\/(?:beercounter|game-servers|christmas-calendar|notifications|party(?:\/|\?id=)[1-9]\d{0,8})$/));

/**
 * The payload of a push, which the service worker shows as a notification. A notification replaces
 * the previous one with the same `tag`.
 */
export const pushPayload = z.object({
  title: z.string().check(z.maxLength(100)),
  body: z.string().check(z.maxLength(300)),
  tag: z.string().check(z.maxLength(50)),
  url: notifiedPage,
  silent: z.boolean(),
});
export type PushPayload = z.output<typeof pushPayload>;

const wrong = "invalid";

/** A `PushSubscription` of the browser, as JSON. */
export const pushSubscription = z.object(
  {
    endpoint: z.string(wrong),
    expirationTime: z.optional(z.nullable(z.number(wrong))),
    keys: z.object({ p256dh: z.string(wrong), auth: z.string(wrong) }, wrong),
  },
  wrong,
);

/** Subscribes the requesting browser to pushes until its session ends. */
export const subscribeToPush = endpoint("POST /api/push", {
  who: "member",
  perMinute: 10,
  maxBody: 4096,
  body: z.object({ pushSubscription: field("Push-Abonnement", pushSubscription) }),
  reply: fixedMessage("Push-Abonnement gespeichert."),
  status: 201,
});

const clockTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/));

export const notificationSettings = z.object({
  beers: field("Biere", z.boolean()),
  game_servers: field("Game-Server", z.boolean()),
  /**
   * Pushes about empty calendar doors of the member. If missing, the setting is unchanged, because
   * pages of an earlier version do not send it.
   */
  calendar: field("Adventskalender", z.optional(z.boolean())),
  /**
   * Pushes about parties. If missing, the setting is unchanged, because pages of an earlier
   * version do not send it.
   */
  party: field("Partys", z.optional(z.boolean())),
  sound: field("Ton", z.boolean()),
  /**
   * Daily time without pushes, in the group's time zone; may span midnight. `null`: no quiet hours.
   */
  quiet_hours: field(
    "Ruhezeit",
    z.nullable(
      z
        .object({ from: clockTime, until: clockTime })
        .check(z.refine(({ from, until }) => from !== until, { error: wrong })),
    ),
  ),
});
export type NotificationSettings = z.output<typeof notificationSettings>;

export const getNotificationSettings = endpoint("GET /api/push/settings", {
  who: "member",
  /**
   * `is_wanted_here`: `false` if the member removed this browser from the list of devices. Pages
   * then do not subscribe the browser again.
   */
  reply: z.extend(notificationSettings, { is_wanted_here: z.boolean() }),
});

export const saveNotificationSettings = endpoint("POST /api/push/settings", {
  who: "member",
  perMinute: 60,
  body: notificationSettings,
  reply: notificationSettings,
});

/**
 * A browser that is subscribed to pushes. Times in ISO 8601; `current`: the browser of this
 * request.
 */
export const pushDevice = z.object({
  id: z.int(),
  device: z.string(),
  since: z.string(),
  last_success_at: z.nullable(z.string()),
  current: z.boolean(),
});
export type PushDevice = z.output<typeof pushDevice>;

export const getPushDevices = endpoint("GET /api/push/devices", {
  who: "member",
  reply: z.array(pushDevice),
});

/** Ends the pushes to a device of the requesting member; 404 for other members' devices. */
export const removePushDevice = endpoint("DELETE /api/push/devices/:id", {
  who: "member",
  params: z.object({ id: rowId }),
  reply: fixedMessage("Dieses Gerät bekommt keine Benachrichtigungen mehr."),
});

/**
 * The result of a test push to one device. `refused`: the device's push service refused the push;
 * the server then removes the device, unless a retry could help.
 */
export const pushTest = z.object({
  device: z.string(),
  result: z.enum(["delivered", "refused", "unreachable"]),
});
export type PushTest = z.output<typeof pushTest>;

/**
 * Sends a test push to all devices of the requesting member, regardless of the settings, and
 * returns the results.
 */
export const testPush = endpoint("POST /api/push/test", {
  who: "member",
  perMinute: 5,
  reply: z.array(pushTest),
});
