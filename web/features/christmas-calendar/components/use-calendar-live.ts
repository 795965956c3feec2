import { useEffect } from "react";

import { managedCalendarChanged } from "#contract/calendar-events.ts";
import { subscribe } from "#web/data/realtime.ts";
import { reloadCalendar } from "../admin-queries.ts";

/** Refetches the open admin calendar when others change doors. */
export function useCalendarLive(): void {
  useEffect(() => {
    const reload = (): void => void reloadCalendar();
    return subscribe(managedCalendarChanged, { onEvent: reload, onSubscribed: reload });
  }, []);
}
