import { useState } from "react";
import * as z from "zod/mini";

import { setUserItem, getUserItem } from "#web/session/user-storage.ts";

const storageName = "christmas-calendar";
const calendarPreferences = z.object({ isMuted: z.boolean(), hasSnow: z.boolean() });

/** The member's settings of the calendar page, stored only in this browser. */
export type CalendarPreferences = z.output<typeof calendarPreferences>;

export function useCalendarPreferences(): [CalendarPreferences, (changes: Partial<CalendarPreferences>) => void] {
  const [current, setCurrent] = useState(
    () => getUserItem(storageName, calendarPreferences) ?? { isMuted: false, hasSnow: true },
  );
  return [
    current,
    (changes) => {
      const next = { ...current, ...changes };
      setCurrent(next);
      setUserItem(storageName, next);
    },
  ];
}
