import { useEffect } from "react";

import { formatDate } from "#web/ui/german.ts";
import { reload } from "./query-client.ts";
import { useGroup } from "./session.ts";

/** Loads what is on the screen again when a new day begins, for weeks and calendar doors hang on the day. */
export function useNewDay(): void {
  const { time_zone: timeZone } = useGroup();
  useEffect(() => {
    const dayOf = (at: number): string => formatDate(at, "shortDate", timeZone);
    // Not the day itself: to write the first one takes a slow phone long, and the first page comes before.
    let seenAt = Date.now();
    const timer = setInterval(() => {
      const now = Date.now();
      if (dayOf(now) !== dayOf(seenAt)) void reload([]);
      seenAt = now;
    }, 60_000);
    return () => clearInterval(timer);
  }, [timeZone]);
}
