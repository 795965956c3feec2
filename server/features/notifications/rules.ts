import type { Permission } from "#contract/endpoint.ts";
import type { NotificationKind, NotificationSettings, PushPayload } from "#contract/notifications.ts";
import { days, hours, minutes } from "#server/time.ts";

/** Per member; with one more the oldest is deleted. */
export const maxSubscriptions = 10;
/** At most one push about the same sender and kind in this time. */
export const throttleInterval = minutes(30);
/** The next push within this time says how many there were since the last one. */
export const countingWindow = hours(6);
/** After this time a push is no longer delivered. */
export const pushLifetime = hours(1);
const minutesPerDay = 24 * 60;
/** A subscription that failed this often in a row, over this long, is deleted. */
export const failureLimit = { failures: 20, ms: days(3) } as const;

interface Kind {
  /** What follows the group's name in the title. */
  readonly suffix: string;
  /** The page's own notification has the same tag, so that only one of them is shown. */
  readonly tag: string;
  /** The page that it opens; of a kind that is about something, the page of that. */
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
  party: { suffix: "Partys", tag: "party", url: (id) => `/party?id=${id}`, permission: null },
};

/** A payload in the queue: whether it makes a sound is decided when it is sent. */
export type QueuedPayload = Omit<PushPayload, "silent"> & Partial<PushPayload>;

/** The kind that a push is of, and what it is about: in its tag, after a blank. */
export function kindOf({ tag }: QueuedPayload): { kind: NotificationKind | undefined; about: string } {
  const [name, about = ""] = tag.split(" ");
  return { kind: (Object.keys(kinds) as NotificationKind[]).find((kind) => kinds[kind].tag === name), about };
}

/** Everything, without a sound: members who allow notifications want them. */
export const defaultSettings: NotificationSettings = {
  beers: true,
  game_servers: true,
  calendar: true,
  party: true,
  sound: false,
  quiet_hours: null,
};

/** `time` is `HH:MM`; quiet hours may go over midnight. */
export function isQuiet(quietHours: NotificationSettings["quiet_hours"], time: string): boolean {
  if (quietHours === null) return false;
  const { from, until } = quietHours;
  return from < until ? from <= time && time < until : from <= time || time < until;
}

/**
 * When a push of this time (epoch ms; `HH:MM` outside of the quiet hours) is no longer delivered: a phone that was off does not ring
 * for it after the quiet hours have begun.
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

/** Whether these settings allow this kind at this time of day, `HH:MM`. */
export function isWanted(settings: NotificationSettings, kind: NotificationKind, time: string): boolean {
  return settings[kind] === true && !isQuiet(settings.quiet_hours, time);
}
