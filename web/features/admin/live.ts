import { useEffect } from "react";

import { managedCalendarChanged } from "#contract/calendar-events.ts";
import { subscribe } from "#web/platform/realtime.ts";
import { reloadCalendar } from "./queries.ts";

/** Keeps the open calendar page current while others change doors. */
export function useCalendarLive(): void {
  useEffect(() => {
    const reload = (): void => void reloadCalendar();
    return subscribe(managedCalendarChanged, { onEvent: reload, onSubscribed: reload });
  }, []);
}
