import type { Permission } from "#contract/endpoint.ts";
import type { NotificationKind, NotificationSettings, PushPayload } from "#contract/notifications.ts";
import { days, hours, minutes } from "#server/time.ts";

/** A further subscription deletes the oldest. */
export const maxSubscriptions = 10;
/** Applies to pushes of the same sender and kind. */
export const throttleInterval = minutes(30);
/** Time after a push in which the next one mentions the number of events since. */
export const countingWindow = hours(6);
/** Time after which an undelivered push expires. */
export const pushLifetime = hours(1);
const minutesPerDay = 24 * 60;
/** A subscription is deleted after this many failures in a row and this time since the first. */
export const failureLimit = { failures: 20, ms: days(3) } as const;

interface Kind {
  /** Follows the group's name in the title. */
  readonly suffix: string;
  /** The page's own notifications use the same tag, so the browser shows only one of them. */
  readonly tag: string;
  /** `about` identifies the page if a kind has several. */
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
  party: { suffix: "Partys", tag: "party", url: (about) => `/party/${parseInt(about, 10)}`, permission: null },
};

export type QueuedPayload = Omit<PushPayload, "silent"> & Partial<PushPayload>;

/** The tag contains kind and subject, separated by a space. */
export function kindOf({ tag }: QueuedPayload): { kind: NotificationKind | undefined; about: string } {
  const [name, ...about] = tag.split(" ");
  const kind = (Object.keys(kinds) as NotificationKind[]).find((one) => kinds[one].tag === name);
  return { kind, about: about.join(" ") };
}

export interface PartyNews {
  readonly id: number;
  readonly news: "started" | "photo" | "ended";
}

/** Returns `undefined` for other subjects, e.g. a guest who asks to become a member. */
export function partyNewsIn(about: string): PartyNews | undefined {
  const [, id, news = "started"] = /^(\d+)(?: (photo|ended))?$/.exec(about) ?? [];
  return id === undefined ? undefined : { id: Number(id), news: news as PartyNews["news"] };
}

/** Returns the dates in the subject of a reminder; empty for other subjects. */
export function doorsIn(about: string): string[] {
  return about.split(",").filter((part) => /^\d{4}-\d\d-\d\d$/.test(part));
}

/** All kinds are on, because the member has just allowed notifications. */
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
 * Expires when quiet hours begin, so that a phone that was off does not ring in them. The push was created at `at`
 * (epoch ms), which is `time` (`HH:MM`).
 */
export function pushExpiry(
  quietHours: NotificationSettings["quiet_hours"],
  at: number,
  time: string,
  lifetime: number = pushLifetime,
): number {
  const lastsUntil = at + lifetime;
  if (quietHours === null) return lastsUntil;
  const minutesLeft = (toMinutes(quietHours.from) - toMinutes(time) + minutesPerDay) % minutesPerDay;
  const quietFrom = at - (at % minutes(1)) + minutes(minutesLeft);
  return Math.min(lastsUntil, quietFrom);
}

function toMinutes(time: string): number {
  const [hour, minute] = time.split(":").map(Number) as [number, number];
  return hour * 60 + minute;
}

/** `time` is `HH:MM`. */
export function isWanted(settings: NotificationSettings, kind: NotificationKind, time: string): boolean {
  return settings[kind] === true && !isQuiet(settings.quiet_hours, time);
}
