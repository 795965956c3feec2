import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage, rowId } from "./fields.ts";
import { field } from "./labels.ts";

/** The kinds of notifications; each has a switch in the settings. */
export const notificationKinds = ["beers", "game_servers", "calendar", "party"] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** The pages that a notification may open, including a party by its id as earlier versions wrote it. */
export const notifiedPage = z
  .string()
  .check(z.regex(/^\/(?:beercounter|game-servers|christmas-calendar|notifications|party(?:\/|\?id=)[1-9]\d{0,8})$/));

/** The payload of a push, shown as text by the service worker. A notification replaces the previous one with the same tag. */
export const pushPayload = z.object({
  title: z.string().check(z.maxLength(100)),
  body: z.string().check(z.maxLength(300)),
  tag: z.string().check(z.maxLength(50)),
  url: notifiedPage,
  silent: z.boolean(),
});
export type PushPayload = z.output<typeof pushPayload>;

const wrong = "invalid";

/** The browser's `PushSubscription` as JSON. */
export const pushSubscription = z.object(
  {
    endpoint: z.string(wrong),
    expirationTime: z.optional(z.nullable(z.number(wrong))),
    keys: z.object({ p256dh: z.string(wrong), auth: z.string(wrong) }, wrong),
  },
  wrong,
);

/** Subscribes this browser until this session ends. */
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
  /** Reminders of own empty doors. Unchanged if missing, because pages of an earlier version do not send it. */
  calendar: field("Adventskalender", z.optional(z.boolean())),
  /** Starts of parties; optional for the same reason. */
  party: field("Partys", z.optional(z.boolean())),
  sound: field("Ton", z.boolean()),
  /** Quiet hours without pushes in the group's time zone, may span midnight; `null` without quiet hours. */
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
  /** `is_wanted_here`: `false` if this browser was removed from the list of devices. */
  reply: z.extend(notificationSettings, { is_wanted_here: z.boolean() }),
});

export const saveNotificationSettings = endpoint("POST /api/push/settings", {
  who: "member",
  perMinute: 60,
  body: notificationSettings,
  reply: notificationSettings,
});

/** A subscribed browser; times in ISO 8601. `current`: the browser of this request. */
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

/** Ends the pushes to an own device; 404 for any other. */
export const removePushDevice = endpoint("DELETE /api/push/devices/:id", {
  who: "member",
  params: z.object({ id: rowId }),
  reply: fixedMessage("Dieses Gerät bekommt keine Benachrichtigungen mehr."),
});

/** The result of a test on one device. `refused`: by its push service; the device is removed if that is final. */
export const pushTest = z.object({
  device: z.string(),
  result: z.enum(["delivered", "refused", "unreachable"]),
});
export type PushTest = z.output<typeof pushTest>;

/** Pushes to all own devices regardless of the settings, and returns the results. */
export const testPush = endpoint("POST /api/push/test", {
  who: "member",
  perMinute: 5,
  reply: z.array(pushTest),
});
