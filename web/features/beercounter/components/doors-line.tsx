import { ChevronRight, Gift } from "lucide-react";
import { useState, type ReactNode } from "react";

import { PageLink } from "#web/router/page-link.tsx";
import { ServerText } from "#web/ui/placeholder.tsx";
import { QuietAction } from "#web/ui/quiet-action.tsx";
import { useOwnDoors } from "../doors-queries.ts";
import styles from "./doors-line.module.css";

/**
 * Links to the calendar while a door waits for the member. A line that appears or disappears later
 * would move the content below, so that happens only when a new day begins.
 */
export function DoorsLine({ isEnabled }: { isEnabled: boolean }): ReactNode {
  const { data } = useOwnDoors(isEnabled);
  const line = data?.line ?? null;
  const [room, setRoom] = useState({ day: data?.today, isReserved: line !== null });
  if (data !== undefined && data.today !== room.day) setRoom({ day: data.today, isReserved: line !== null });
  if (data !== undefined && !room.isReserved) return null;
  return (
    <QuietAction
      as={PageLink}
      className={styles["line"]}
      href="/christmas-calendar"
      data-done={(data !== undefined && line === null) || undefined}
    >
      <Gift size={18} />
      {data === undefined ? (
        <span>
          <ServerText path="items.own-doors.reply.line" />
        </span>
      ) : (
        <span>{line ?? "\u00A0"}</span>
      )}
      <ChevronRight size={18} />
    </QuietAction>
  );
}
