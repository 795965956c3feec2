import type { Permission } from "#contract/endpoint.ts";
import type { NotificationKind, NotificationSettings, PushPayload } from "#contract/notifications.ts";
import { days, hours, minutes } from "#server/time.ts";

/** Limit per member; the oldest subscription is deleted when it is exceeded. */
export const maxSubscriptions = 10;
/** Minimum interval between two pushes of the same sender and kind. */
export const throttleInterval = minutes(30);
/** Time after a push in which the next one tells the number of events since then. */
export const countingWindow = hours(6);
/** Time after which a push is no longer delivered. */
export const pushLifetime = hours(1);
const minutesPerDay = 24 * 60;
/** Number of failures in a row, and their minimum duration, after which a subscription is deleted. */
export const failureLimit = { failures: 20, ms: days(3) } as const;

interface Kind {
  /** The part of the title after the group's name. */
  readonly suffix: string;
  /** The tag that the page's own notification shares, so that only one of them is shown. */
  readonly tag: string;
  /** Returns the path of the page to open; for kinds with one page per subject, the subject's page. */
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

/** A payload in the queue; the sound is decided when it is sent. */
export type QueuedPayload = Omit<PushPayload, "silent"> & Partial<PushPayload>;

/** Returns the kind and the subject of a push; its tag holds both, separated by a space. */
export function kindOf({ tag }: QueuedPayload): { kind: NotificationKind | undefined; about: string } {
  const [name, about = ""] = tag.split(" ");
  return { kind: (Object.keys(kinds) as NotificationKind[]).find((kind) => kinds[kind].tag === name), about };
}

/** Returns the dates of the calendar doors that a reminder is about; empty for other notifications. */
export function doorsIn(about: string): string[] {
  return about.split(",").filter((part) => /^\d{4}-\d\d-\d\d$/.test(part));
}

/** Every kind is on, because the member has just allowed notifications; sound is off. */
export const defaultSettings: NotificationSettings = {
  beers: true,
  game_servers: true,
  calendar: true,
  party: true,
  sound: false,
  quiet_hours: null,
};

/** `time` is `HH:MM`; quiet hours may span midnight. */
export function isQuiet(quietHours: NotificationSettings["quiet_hours"], time: string): boolean {
  if (quietHours === null) return false;
  const { from, until } = quietHours;
  return from < until ? from <= time && time < until : from <= time || time < until;
}

/**
 * Returns when a push expires that is created outside of the quiet hours; `at` in milliseconds since the epoch, `time` as
 * `HH:MM`. A phone that was off does not ring after quiet hours have begun.
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

/** Returns `true` if the settings allow this kind at this time of day (`HH:MM`). */
export function isWanted(settings: NotificationSettings, kind: NotificationKind, time: string): boolean {
  return settings[kind] === true && !isQuiet(settings.quiet_hours, time);
}
