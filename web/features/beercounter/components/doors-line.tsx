import { ChevronRight, Gift } from "lucide-react";
import { useState, type ReactNode } from "react";

import { PageLink } from "#web/platform/page-link.tsx";
import quiet from "#web/ui/quiet-action.module.css";
import { useOwnDoors } from "../doors-queries.ts";
import styles from "./doors-line.module.css";

/**
 * Says which calendar doors wait for a picture, and leads there. It has room from the first render on or not at all, so that nothing
 * below it moves; early.js fills the one of the skeleton.
 */
export function DoorsLine({ isEnabled }: { isEnabled: boolean }): ReactNode {
  const { data } = useOwnDoors(isEnabled);
  const line = data?.line ?? null;
  const [hasRoom] = useState(line !== null);
  if (data !== undefined && !hasRoom) return null;
  return (
    <PageLink className={`${quiet["action"]} ${styles["line"]}`} href="/christmas-calendar">
      <Gift size={18} />
      {data === undefined ? (
        <span data-kept="doorsLine" />
      ) : (
        <span>{line ?? "Hinter deinen Türchen hängt alles."}</span>
      )}
      <ChevronRight size={18} />
    </PageLink>
  );
}
