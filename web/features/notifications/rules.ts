import type { PushDevice, PushTest } from "#contract/notifications.ts";
import { formatDate, formatTimeOfDay } from "#web/ui/german.ts";

/** The first values of the time fields for quiet hours. */
export const defaultQuietHours = { from: "23:00", until: "08:00" } as const;

/** Since when a device is pushed to and when that last worked. */
export function describeDevice({ since, last_success_at }: PushDevice): string {
  const begun = `Seit ${formatDate(since, "day")}`;
  return last_success_at === null
    ? begun
    : `${begun}, zuletzt ${formatTimeOfDay(last_success_at, undefined, "shortDate")}`;
}

const results: Record<PushTest["result"], string> = {
  delivered: "angenommen, müsste gleich da sein",
  refused: "vom Push-Dienst abgelehnt; schalte sie dort aus und wieder ein",
  unreachable: "Push-Dienst nicht erreichbar, versuche es später nochmal",
};

/** What came of a test, a sentence for each device. */
export function describeTests(tests: readonly PushTest[]): string[] {
  return tests.map(({ device, result }) => `${device}: ${results[result]}.`);
}

/** iPhones and iPads notify for apps on the home screen only; newer iPads call themselves a Mac. */
export function isAppleTouch({ userAgent, maxTouchPoints }: Pick<Navigator, "userAgent" | "maxTouchPoints">): boolean {
  return /iPhone|iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}
