import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";

const message = z.object({ message: z.string() });
const minute = 60;

/** What there is to be told of. The settings have a switch for each. */
export const notificationKinds = ["beers", "game_servers"] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** The pages that a notification may open. */
export const notifiedPage = z.enum(["/beercounter", "/game-servers", "/notifications"]);

/** What a push carries; the service worker shows it as text. Equal tags replace each other. */
export const pushPayload = z.object({
  title: z.string().check(z.maxLength(100)),
  body: z.string().check(z.maxLength(300)),
  tag: z.string().check(z.maxLength(50)),
  url: notifiedPage,
  silent: z.boolean(),
});
export type PushPayload = z.output<typeof pushPayload>;

const wrong = "V-in";

/** What the browser's PushSubscription says of itself. */
export const pushSubscription = z.object(
  {
    endpoint: z.string(wrong),
    expirationTime: z.optional(z.nullable(z.number(wrong))),
    keys: z.object({ p256dh: z.string(wrong), auth: z.string(wrong) }, wrong),
  },
  wrong,
);

/** Lets this browser be pushed to for as long as this session lives. */
export const subscribeToPush = endpoint({
  method: "POST",
  path: "/api/push",
  who: "member",
  rate: { per: "member", limit: 10, seconds: minute },
  maxBody: 4096,
  body: z.object({ pushSubscription }),
  reply: message,
  status: 201,
});

const clockTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/));

export const notificationSettings = z.object({
  beers: z.boolean(),
  game_servers: z.boolean(),
  /** Whether a notification may ring; otherwise it only appears. */
  sound: z.boolean(),
  /** Nothing is pushed from … until …, in the group's time zone, also over midnight; null: no such hours. */
  quiet_hours: z.nullable(
    z
      .object({ from: clockTime, until: clockTime })
      .check(z.refine(({ from, until }) => from !== until, { error: wrong })),
  ),
});
export type NotificationSettings = z.output<typeof notificationSettings>;

export const getNotificationSettings = endpoint({
  method: "GET",
  path: "/api/push/settings",
  who: "member",
  rate: { per: "member", limit: 120, seconds: minute },
  maxBody: 0,
  /** `is_wanted_here`: false once this browser was taken off the list of devices. */
  reply: z.extend(notificationSettings, { is_wanted_here: z.boolean() }),
});

export const saveNotificationSettings = endpoint({
  method: "POST",
  path: "/api/push/settings",
  who: "member",
  rate: { per: "member", limit: 60, seconds: minute },
  maxBody: 1024,
  body: notificationSettings,
  reply: notificationSettings,
});

/** A browser that is pushed to; times in ISO 8601. `current`: the session that asks. */
export const pushDevice = z.object({
  id: z.int(),
  device: z.string(),
  since: z.string(),
  last_success_at: z.nullable(z.string()),
  current: z.boolean(),
});
export type PushDevice = z.output<typeof pushDevice>;

export const getPushDevices = endpoint({
  method: "GET",
  path: "/api/push/devices",
  who: "member",
  rate: { per: "member", limit: 120, seconds: minute },
  maxBody: 0,
  reply: z.array(pushDevice),
});

/** Ends the pushes to one of one's own devices; 404 for any other. */
export const removePushDevice = endpoint({
  method: "DELETE",
  path: "/api/push/devices/:id",
  who: "member",
  rate: { per: "member", limit: 30, seconds: minute },
  maxBody: 1024,
  accepts: "ignored",
  params: z.object({ id: z.pipe(z.string().check(z.regex(/^[1-9]\d{0,8}$/)), z.transform(Number)) }),
  reply: message,
});

/** What became of a test on one device. `refused`: its push service does not take it, and it was removed where that is final. */
export const pushTest = z.object({
  device: z.string(),
  result: z.enum(["delivered", "refused", "unreachable"]),
});
export type PushTest = z.output<typeof pushTest>;

/** Pushes to all of one's own devices at once, whatever the settings say, and tells how it went. */
export const testPush = endpoint({
  method: "POST",
  path: "/api/push/test",
  who: "member",
  rate: { per: "member", limit: 5, seconds: minute },
  maxBody: 1024,
  accepts: "ignored",
  reply: z.array(pushTest),
});
