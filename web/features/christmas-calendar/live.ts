import { useEffect, useEffectEvent, useRef, useState } from "react";

import { openDoorsChanged, ownDoorsChanged } from "#contract/calendar-events.ts";
import { getCalendarNotices } from "#contract/calendar-notices.ts";
import { call } from "#web/platform/api.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { navigate } from "#web/platform/location.ts";
import { firstPageTime } from "#web/platform/pages.ts";
import { subscribe } from "#web/platform/realtime.ts";
import { useSession } from "#web/platform/session.ts";
import { markOwnDoorsSeen, reloadDoors, reloadOwnDoors, useOwnDoors } from "./queries.ts";
import { reminderText } from "./rules.ts";

/** Shows a sentence about calendar doors; elsewhere than on their page it leads there. */
function showDoorsFlash(text: string): void {
  const action = { label: "Ansehen", run: () => navigate("/christmas-calendar") };
  showFlash({ type: "info", text, ...(location.pathname !== "/christmas-calendar" && { action }) });
}

/** Keeps the doors of the open calendar page current: how many members have opened them, and late pictures. */
export function useOpenDoorsLive(): void {
  useEffect(() => {
    const onChange = (): void => void reloadDoors();
    return subscribe(openDoorsChanged, { onEvent: onChange, onSubscribed: onChange });
  }, []);
}

/** Keeps the own doors current on every page, and shows what others do with them, unless the member pauses. */
export function useOwnDoorsLive(): void {
  const { user } = useSession();
  const isPaused = user?.is_paused === true;
  const lastShown = useRef(0);
  const showNotices = useEffectEvent(async () => {
    if (isPaused) return;
    const notices = await call(getCalendarNotices).catch(() => []);
    const newest = notices.at(-1);
    if (newest === undefined || newest.id <= lastShown.current) return;
    lastShown.current = newest.id;
    showDoorsFlash(newest.text);
  });
  const onEvent = useEffectEvent(({ message }: { message: string | null }) => {
    void reloadDoors();
    if (message === null) void showNotices();
    else if (!isPaused) showDoorsFlash(message);
  });
  useEffect(() => {
    const onSubscribed = (): void => {
      void reloadOwnDoors();
      void showNotices();
    };
    return subscribe(ownDoorsChanged, { onEvent, onSubscribed });
  }, []);
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
    if (unseen.length === 0 && reminders.length > 0 && !isPaused) showDoorsFlash(reminderText(reminders, today));
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
