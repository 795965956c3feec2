import { useEffect, useEffectEvent, useState } from "react";

import { lateDoorFilled, ownDoorNews } from "#contract/calendar-lottery-events.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { navigate } from "#web/platform/location.ts";
import { firstPageTime } from "#web/platform/pages.ts";
import { subscribe } from "#web/platform/realtime.ts";
import { useSession } from "#web/platform/session.ts";
import { markOwnDoorsSeen, reloadDoors, useOwnDoors } from "./queries.ts";
import { reminderText } from "./rules.ts";

const calendarAction = { label: "Ansehen", run: () => navigate("/christmas-calendar") };

/** Refetches doors when one changes, and says what others do with one's own. */
export function useDoorsLive(): void {
  const { user } = useSession();
  const isPaused = user?.is_paused === true;
  const onChange = useEffectEvent(({ message }: { message: string | null }) => {
    void reloadDoors();
    if (message !== null && !isPaused) showFlash({ type: "info", text: message, action: calendarAction });
  });
  useEffect(() => subscribe(ownDoorNews, { onEvent: onChange, onSubscribed: () => void reloadDoors() }), []);
  useEffect(() => subscribe(lateDoorFilled, { onEvent: () => void reloadDoors(), onSubscribed: () => undefined }), []);
}

/**
 * The doors that were drawn and not shown yet; they and the reminders that are due count as seen from then on. Waits until the first
 * page has loaded what it needs.
 */
export function useDrawnDoors(): { drawn: readonly string[]; onClose: () => void } {
  const { user } = useSession();
  const isPaused = user?.is_paused === true;
  const [isEnabled, setEnabled] = useState(false);
  const [drawn, setDrawn] = useState(none);
  const [closed, setClosed] = useState(none);
  const { data, isFetchedAfterMount } = useOwnDoors(isEnabled);
  // What is kept on this device may have been shown on another one.
  const news = isFetchedAfterMount ? data : undefined;
  const unseen = news?.drawn ?? none;
  if (unseen.length > 0 && ![drawn, closed].some((known) => String(known) === String(unseen))) setDrawn(unseen);
  useEffect(() => {
    const timer = setTimeout(() => setEnabled(true), firstPageTime);
    return () => clearTimeout(timer);
  }, []);
  const show = useEffectEvent(() => {
    if (news === undefined || document.hidden) return;
    const { reminders, today } = news;
    if (unseen.length === 0 && reminders.length > 0 && !isPaused)
      showFlash({ type: "info", text: reminderText(reminders, today), action: calendarAction });
    if (unseen.length + reminders.length > 0) void markOwnDoorsSeen().catch(() => undefined);
  });
  useEffect(() => {
    show();
    document.addEventListener("visibilitychange", show);
    return () => document.removeEventListener("visibilitychange", show);
  }, [news]);
  const close = (): void => {
    setClosed(drawn);
    setDrawn(none);
  };
  return { drawn, onClose: close };
}

const none: readonly string[] = [];
