import type { PushDevice, PushTest } from "#contract/notifications.ts";
import { formatDate, formatTimeOfDay } from "#web/ui/german.ts";

export const defaultQuietHours = { from: "23:00", until: "08:00" } as const;

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

export function describeTests(tests: readonly PushTest[]): string[] {
  return tests.map(({ device, result }) => `${device}: ${results[result]}.`);
}

/** Detects devices on which only installed apps receive pushes. Newer iPads identify as Macs. */
export function isAppleTouch({ userAgent, maxTouchPoints }: Pick<Navigator, "userAgent" | "maxTouchPoints">): boolean {
  return /iPhone|iPad/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1);
}
