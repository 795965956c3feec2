import { useEffect, useEffectEvent, useRef, useState } from "react";

import { openDoorsChanged, ownDoorsChanged } from "#contract/calendar-events.ts";
import { getCalendarNotices } from "#contract/calendar-notices.ts";
import { call } from "#web/data/api.ts";
import { whenVisible, subscribe } from "#web/data/realtime.ts";
import { navigate } from "#web/router/navigation.ts";
import { firstPageTime } from "#web/router/preload.ts";
import { useSession } from "#web/session/session.ts";
import { showFlash } from "#web/shell/flash.tsx";
import { markOwnDoorsSeen, reloadDoors, reloadOwnDoors, useOwnDoors } from "./queries.ts";
import { reminderText } from "./rules.ts";

/**
 * Shows a flash message about calendar doors. Links to the calendar page unless that page is open.
 */
function showDoorsFlash(text: string): void {
  const action = { label: "Ansehen", run: () => navigate("/christmas-calendar") };
  showFlash({ type: "info", text, ...(location.pathname !== "/christmas-calendar" && { action }) });
}

/** Refetches the doors of the open calendar page when others open doors or upload late pictures. */
export function useOpenDoorsLive(): void {
  useEffect(() => {
    const onChange = (): void => void reloadDoors();
    return subscribe(openDoorsChanged, { onEvent: onChange, onSubscribed: onChange });
  }, []);
}

/**
 * Refetches the member's own doors on every page when they change. Shows messages about these
 * changes, unless the member is paused.
 */
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
    const refetch = (): void => {
      void reloadOwnDoors();
      void showNotices();
    };
    return subscribe(ownDoorsChanged, { onEvent, onSubscribed: () => whenVisible(refetch) });
  }, []);
}

/**
 * Returns the doors that a lottery has given to the member and no page has shown yet. Shows due
 * reminders of empty doors as a flash message, and marks both as seen. Starts after the first page
 * has loaded.
 */
export function useDrawnDoors(): { drawn: readonly string[]; onClose: () => void } {
  const { user } = useSession();
  const isPaused = user?.is_paused === true;
  const [isEnabled, setEnabled] = useState(false);
  const [drawn, setDrawn] = useState(none);
  const [closed, setClosed] = useState(none);
  const { data, isFetchedAfterMount } = useOwnDoors(isEnabled);
  // Ignores cached data, because its messages may have been shown on another device.
  const news = isFetchedAfterMount ? data : undefined;
  const unseen = news?.drawn ?? none;
  if (unseen.length > 0 && ![drawn, closed].some((known) => String(known) === String(unseen))) setDrawn(unseen);
  useEffect(() => {
    const timer = setTimeout(() => setEnabled(true), firstPageTime);
    return () => clearTimeout(timer);
  }, []);
  const show = useEffectEvent(() => {
    if (news === undefined || document.hidden) return;
    const { reminders, today, is_line_reminder } = news;
    // The calendar page names the empty doors, and the counter does if its line is about them.
    const isToldByPage =
      location.pathname === "/christmas-calendar" || (location.pathname === "/beercounter" && is_line_reminder);
    if (unseen.length === 0 && reminders.length > 0 && !isPaused && !isToldByPage)
      showDoorsFlash(reminderText(reminders, today));
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
