import { lazy, Suspense, useEffect, useEffectEvent, useState, type ReactNode } from "react";

import { useMessage, useOpenDialog } from "#web/page/messages.tsx";
import { useMember } from "#web/page/session.ts";
import { firstPageTime } from "#web/router/preload.ts";
import { markOwnDoorsSeen, showDoorsFlash, useOwnDoors } from "./api.ts";
import { reminderText } from "./rules.ts";

/** Renders nothing if loading fails. */
const DrawnDoorsCard = lazy(async () => {
  const code = await import("./drawn-doors-card.tsx").catch(() => null);
  return { default: code?.DrawnDoorsCard ?? (() => null) };
});

/**
 * Shows on every page the doors that the member drew in a lottery. The card would cover a dialog or a flash, so it
 * first waits until none is open.
 */
export function DrawnDoors(): ReactNode {
  const { drawn, onClose } = useDrawnDoors();
  const flash = useMessage();
  const dialog = useOpenDialog();
  const [isShown, setShown] = useState(false);
  const hasDrawn = drawn.length > 0;
  const isFree = flash === null && dialog === undefined;
  if (isShown !== (hasDrawn && (isShown || isFree))) setShown(!isShown);
  if (!isShown) return null;
  return (
    <Suspense>
      <DrawnDoorsCard dates={drawn} onClose={onClose} />
    </Suspense>
  );
}

/**
 * Returns the doors that a lottery has given to the member and no page has shown yet. Shows due reminders of empty
 * doors as a flash, and marks both as seen. Starts after the first page has loaded.
 */
function useDrawnDoors(): { drawn: readonly string[]; onClose: () => void } {
  const user = useMember();
  const isPaused = user?.is_paused === true;
  const [isEnabled, setEnabled] = useState(false);
  const [last, setLast] = useState({ drawn: none, isClosed: true });
  const { data, isFetchedAfterMount } = useOwnDoors(isEnabled);
  // Ignores cached data, because its messages may have been shown on another device.
  const news = isFetchedAfterMount ? data : undefined;
  const drawn = news?.drawn ?? none;
  // The doors stay drawn after they are marked as seen, until the member closes the card.
  if (drawn.length > 0 && String(drawn) !== String(last.drawn)) setLast({ drawn, isClosed: false });
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
    if (drawn.length === 0 && reminders.length > 0 && !isPaused && !isToldByPage)
      showDoorsFlash(reminderText(reminders, today));
    if (drawn.length + reminders.length > 0) void markOwnDoorsSeen().catch(() => undefined);
  });
  useEffect(() => {
    show();
    document.addEventListener("visibilitychange", show);
    return () => document.removeEventListener("visibilitychange", show);
  }, [news]);
  return { drawn: last.isClosed ? none : last.drawn, onClose: () => setLast({ ...last, isClosed: true }) };
}

const none: readonly string[] = [];
