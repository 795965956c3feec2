import { lazy, Suspense, useEffect, useEffectEvent, useState, type ReactNode } from "react";

import { getOwnDoors, markOwnDoorsSeen } from "#contract/calendar-lottery.ts";
import { call } from "#web/client/api.ts";
import { keyOf } from "#web/client/queries.ts";
import { useMessage, useOpenDialog } from "#web/page/messages.tsx";
import { useReload } from "#web/page/queries.ts";
import { useDoorMessage, useOwnDoors } from "./api.ts";
import { reminderText } from "./rules.ts";

/** Nothing if loading fails. */
const DrawnDoorsCard = lazy(async () => {
  const code = await import("./drawn-doors-card.tsx").catch(() => null);
  return { default: code?.DrawnDoorsCard ?? (() => null) };
});

/** Shows doors drawn in a lottery on every page, until the member closes their card. */
export function DrawnDoors(): ReactNode {
  const drawn = useDrawnDoors();
  const key = String(drawn);
  const [closed, setClosed] = useState("");
  if (key === closed) return null;
  return <PatientCard key={key} dates={drawn} onClose={() => setClosed(key)} />;
}

/** Waits until no dialog and no message is open, which the card would cover. */
function PatientCard(props: { dates: readonly string[]; onClose: () => void }): ReactNode {
  const message = useMessage();
  const dialog = useOpenDialog();
  const [isShown, setShown] = useState(false);
  const isFree = message === null && dialog === undefined;
  useEffect(() => {
    if (!isFree) return;
    // A closing dialog may be about to show its message.
    const timer = setTimeout(() => setShown(true));
    return () => clearTimeout(timer);
  }, [isFree]);
  return (
    isShown && (
      <Suspense>
        <DrawnDoorsCard {...props} />
      </Suspense>
    )
  );
}

/** Loading the doors would delay the first page. */
const firstPageMs = 3000;

/** Returns doors that no page has shown before. Shows due reminders as a message, and marks both as seen. */
function useDrawnDoors(): readonly string[] {
  const [isEnabled, setEnabled] = useState(false);
  const [shown, setShown] = useState<readonly string[]>([]);
  const tell = useDoorMessage();
  const reloadOwnDoors = useReload(keyOf(getOwnDoors));
  const { data, dataUpdatedAt } = useOwnDoors(isEnabled);
  // Another device may have shown the reply that this browser kept.
  const news = dataUpdatedAt > 0 ? data : undefined;
  useEffect(() => {
    const timer = setTimeout(() => setEnabled(true), firstPageMs);
    return () => clearTimeout(timer);
  }, []);
  const show = useEffectEvent(() => {
    if (news === undefined || document.hidden) return;
    const { drawn, reminders, today, is_line_reminder } = news;
    if (drawn.length + reminders.length === 0) return;
    // The calendar page and the counter may name these doors already.
    const isToldByPage =
      location.pathname === "/christmas-calendar" || (location.pathname === "/beercounter" && is_line_reminder);
    if (drawn.length === 0 && !isToldByPage) tell(reminderText(reminders, today));
    void call(markOwnDoorsSeen)
      .catch(() => undefined)
      .then(() => {
        // The next reply has none any more.
        if (drawn.length > 0) setShown(drawn);
        return reloadOwnDoors();
      });
  });
  useEffect(() => {
    show();
    document.addEventListener("visibilitychange", show);
    return () => document.removeEventListener("visibilitychange", show);
  }, [news]);
  return shown;
}
