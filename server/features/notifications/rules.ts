import type { Permission } from "#contract/endpoint.ts";
import type { NotificationKind, NotificationSettings, PushPayload } from "#contract/notifications.ts";
import { days, hours, minutes } from "#server/time.ts";

/** Maximum number of subscriptions per member; a further one deletes the oldest. */
export const maxSubscriptions = 10;
/** Minimum milliseconds between two pushes of the same sender and kind. */
export const throttleInterval = minutes(30);
/**
 * Milliseconds after a push during which the next push mentions the number of events since the
 * earlier push.
 */
export const countingWindow = hours(6);
/** Milliseconds after which an undelivered push expires. */
export const pushLifetime = hours(1);
const minutesPerDay = 24 * 60;
/**
 * Conditions for deleting a subscription: a number of failures in a row, and milliseconds since the
 * first of them.
 */
export const failureLimit = { failures: 20, ms: days(3) } as const;

interface Kind {
  /** Part of the push's title after the group's name. */
  readonly suffix: string;
  /**
   * Tag of the push. The page's own notifications use the same tag, so the browser shows only one
   * of them.
   */
  readonly tag: string;
  /**
   * Returns the path of the page that a tap on the notification opens. `about` identifies the page
   * if a kind has several.
   */
  url(about: string): PushPayload["url"];
  readonly permission: Permission | null;
}

export const kinds: Record<NotificationKind, Kind> = {
  beers: { suffix: "Beercounter", tag: "beercounter", url: () => "/beercounter", permission: null },
  game_servers: {
    suffix: "Game-Servers",
    tag: "game-servers",
    url: () => "/game-servers",
    permission: "see-game-servers",
  },
  calendar: { suffix: "Adventskalender", tag: "calendar", url: () => "/christmas-calendar", permission: null },
  party: { suffix: "Partys", tag: "party", url: (id) => `/party/${id}`, permission: null },
};

/** The payload of a queued push; `silent` is decided when the push is sent. */
export type QueuedPayload = Omit<PushPayload, "silent"> & Partial<PushPayload>;

/**
 * Returns the kind and the subject of a push from its tag, which contains both, separated by a
 * space.
 */
export function kindOf({ tag }: QueuedPayload): { kind: NotificationKind | undefined; about: string } {
  const [name, about = ""] = tag.split(" ");
  return { kind: (Object.keys(kinds) as NotificationKind[]).find((kind) => kinds[kind].tag === name), about };
}

/**
 * Returns the dates of the calendar doors in the subject of a reminder; empty for other subjects.
 */
export function doorsIn(about: string): string[] {
  return about.split(",").filter((part) => /^\d{4}-\d\d-\d\d$/.test(part));
}

/**
 * Settings of a member who has saved none. All kinds are on, because the member has just allowed
 * notifications.
 */
export const defaultSettings: NotificationSettings = {
  beers: true,
  game_servers: true,
  calendar: true,
  party: true,
  sound: false,
  quiet_hours: null,
};

/** Returns `true` if `time` (`HH:MM`) is within the quiet hours, which may span midnight. */
export function isQuiet(quietHours: NotificationSettings["quiet_hours"], time: string): boolean {
  if (quietHours === null) return false;
  const { from, until } = quietHours;
  return from < until ? from <= time && time < until : from <= time || time < until;
}

/**
 * Returns the time in epoch milliseconds at which a push expires: after its lifetime or when quiet
 * hours begin, so that a phone that was off does not ring in quiet hours. The push was created at
 * `at` (epoch milliseconds), which is `time` (`HH:MM`).
 */
export function pushExpiry(quietHours: NotificationSettings["quiet_hours"], at: number, time: string): number {
  const lastsUntil = at + pushLifetime;
  if (quietHours === null) return lastsUntil;
  const minutesLeft = (toMinutes(quietHours.from) - toMinutes(time) + minutesPerDay) % minutesPerDay;
  const quietFrom = at - (at % minutes(1)) + minutes(minutesLeft);
  return Math.min(lastsUntil, quietFrom);
}

function toMinutes(time: string): number {
  const [hour, minute] = time.split(":").map(Number) as [number, number];
  return hour * 60 + minute;
}

/** Returns `true` if the settings allow pushes of this kind at this time of day (`HH:MM`). */
export function isWanted(settings: NotificationSettings, kind: NotificationKind, time: string): boolean {
  return settings[kind] === true && !isQuiet(settings.quiet_hours, time);
}
