import { useEffect } from "react";

import { formatDate } from "#web/ui/german.ts";

import { reload } from "./query-client.ts";
import { useGroup } from "./session.ts";

/** Loads what is on the screen again when a new day begins, for weeks and calendar doors hang on the day. */
export function useNewDay(): void {
  const { time_zone: timeZone } = useGroup();
  useEffect(() => {
    const readDay = (): string => formatDate(Date.now(), "weekday", timeZone);
    let day = readDay();
    const timer = setInterval(() => {
      if (readDay() === day) return;
      day = readDay();
      void reload([]);
    }, 60_000);
    return () => clearInterval(timer);
  }, [timeZone]);
}
