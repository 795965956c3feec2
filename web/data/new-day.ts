import { useEffect } from "react";

import { useGroup } from "#web/session/session.ts";
import { formatDate } from "#web/ui/german.ts";
import { reload } from "./query-client.ts";

/** Refetches the visible data when a new day begins, because weeks and calendar doors depend on the date. */
export function useNewDay(): void {
  const { time_zone: timeZone } = useGroup();
  useEffect(() => {
    const dayOf = (at: number): string => formatDate(at, "shortDate", timeZone);
    // Stores the time instead of the formatted date, because the first date formatting is slow on
    // phones and would delay the page.
    let seenAt = Date.now();
    const timer = setInterval(() => {
      const now = Date.now();
      if (dayOf(now) !== dayOf(seenAt)) void reload([]);
      seenAt = now;
    }, 60_000);
    return () => clearInterval(timer);
  }, [timeZone]);
}
