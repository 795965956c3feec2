import { useState } from "react";
import * as z from "zod/mini";

import { setUserItem, getUserItem } from "#web/platform/user-storage.ts";

const storageName = "christmas-calendar";
const calendarPreferences = z.object({ isMuted: z.boolean(), hasSnow: z.boolean() });

/** How this member likes the page; stays on this device. */
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
