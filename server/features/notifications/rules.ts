import type { Permission } from "#contract/endpoint.ts";
import type { NotificationKind, NotificationSettings, PushPayload } from "#contract/notifications.ts";

const minute = 60_000;
const hour = 60 * minute;

/** Browsers of one member; of one more the oldest goes. */
export const maxSubscriptions = 10;
/** Nobody hears of the same member and kind more often. */
export const throttleInterval = 30 * minute;
/** What nobody was told of counts towards the next push for this long. */
export const countingWindow = 6 * hour;
/** A push that did not arrive by then is no news any more. */
export const pushLifetime = hour;
/** A browser that failed this often in a row, and for this long, is not there any more. */
export const failureLimit = { failures: 20, ms: 3 * 24 * hour } as const;

interface Kind {
  /** What follows the group's name in the title. */
  readonly suffix: string;
  /** The page's own notification of the same thing has this tag too, so that only one of them is seen. */
  readonly tag: string;
  readonly url: PushPayload["url"];
  readonly permission: Permission | null;
}

export const kinds: Record<NotificationKind, Kind> = {
  beers: { suffix: "Beercounter", tag: "beercounter", url: "/beercounter", permission: null },
  game_servers: {
    suffix: "Game-Servers",
    tag: "game-servers",
    url: "/game-servers",
    permission: "see-game-servers",
  },
};

/** Allowing notifications is the wish for them; they come without a sound. */
export const defaultSettings: NotificationSettings = {
  beers: true,
  game_servers: true,
  sound: false,
  quiet_hours: null,
};

/** `time` is `HH:MM`; hours that end before they begin go over midnight. */
export function isQuiet(hours: NotificationSettings["quiet_hours"], time: string): boolean {
  if (hours === null) return false;
  const { from, until } = hours;
  return from < until ? from <= time && time < until : from <= time || time < until;
}

/** Whether somebody with these settings wants to be told of this kind at this time of day. */
export function isWanted(settings: NotificationSettings, kind: NotificationKind, time: string): boolean {
  return settings[kind] && !isQuiet(settings.quiet_hours, time);
}
