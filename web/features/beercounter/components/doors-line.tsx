import { ChevronRight, Gift } from "lucide-react";
import { useState, type ReactNode } from "react";

import { PageLink } from "#web/router/page-link.tsx";
import { ServerText } from "#web/ui/placeholder.tsx";
import { QuietAction } from "#web/ui/quiet-action.tsx";
import { useOwnDoors } from "../doors-queries.ts";
import styles from "./doors-line.module.css";

/**
 * Links to the calendar and names the member's doors that need a picture. Reserves space only if
 * the doors are known at the first render, to avoid layout shift.
 */
export function DoorsLine({ isEnabled }: { isEnabled: boolean }): ReactNode {
  const { data } = useOwnDoors(isEnabled);
  const line = data?.line ?? null;
  const [hasRoom] = useState(line !== null);
  if (data !== undefined && !hasRoom) return null;
  return (
    <QuietAction as={PageLink} className={styles["line"]} href="/christmas-calendar">
      <Gift size={18} />
      {data === undefined ? (
        <span>
          <ServerText path="items.own-doors.reply.line" />
        </span>
      ) : (
        <span>{line ?? "Hinter deinen Türchen hängt alles."}</span>
      )}
      <ChevronRight size={18} />
    </QuietAction>
  );
}
