import { useEffect, useEffectEvent, useRef } from "react";

import { openDoorsChanged, ownDoorsChanged } from "#contract/calendar-events.ts";
import { getCalendarNotices } from "#contract/calendar-notices.ts";
import { call } from "#web/platform/api.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { navigate } from "#web/platform/location.ts";
import { subscribe } from "#web/platform/realtime.ts";
import { useSession } from "#web/platform/session.ts";
import { reloadDoors } from "./queries.ts";

/** Keeps the number of members who have opened a door current on the open calendar page. */
export function useOpenDoorsLive(): void {
  useEffect(() => {
    const onChange = (): void => void reloadDoors();
    return subscribe(openDoorsChanged, { onEvent: onChange, onSubscribed: onChange });
  }, []);
}

/** Shows on every page what administrators did to the member's doors; unless the member pauses. */
export function useOwnDoorsLive(): void {
  const { user } = useSession();
  const lastShown = useRef(0);
  const showNews = useEffectEvent(async () => {
    if (user?.is_paused) return;
    const notices = await call(getCalendarNotices).catch(() => []);
    const newest = notices.at(-1);
    if (newest === undefined || newest.id <= lastShown.current) return;
    lastShown.current = newest.id;
    const action = { label: "Ansehen", run: () => navigate("/christmas-calendar") };
    showFlash({ type: "info", text: newest.text, ...(location.pathname !== "/christmas-calendar" && { action }) });
  });
  useEffect(() => {
    const onEvent = (): void => {
      void reloadDoors();
      void showNews();
    };
    return subscribe(ownDoorsChanged, { onEvent, onSubscribed: () => void showNews() });
  }, []);
}
