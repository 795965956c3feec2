import { useEffect } from "react";

import { managedCalendarChanged } from "#contract/calendar-events.ts";
import { subscribe } from "#web/data/realtime.ts";
import { reloadCalendar } from "../admin-queries.ts";

/** Refetches the calendar of the open admin page when somebody else changes a door. */
export function useCalendarLive(): void {
  useEffect(() => {
    const reload = (): void => void reloadCalendar();
    return subscribe(managedCalendarChanged, { onEvent: reload, onSubscribed: reload });
  }, []);
}
