import type { ReactNode } from "react";

import { useGroup } from "#web/session/session.ts";
import { useWindowSize } from "#web/shell/window-size.ts";
import { formatTimeOfDay } from "#web/ui/german.ts";
import { computeScale } from "../rules.ts";
import styles from "./connection-notice.module.css";

/**
 * Tells that the connection to the server is lost. `disconnectedSince` is in milliseconds since the
 * epoch; `null` while connected.
 */
export function ConnectionNotice({ disconnectedSince }: { disconnectedSince: number | null }): ReactNode {
  const { availableWidth, availableHeight } = useWindowSize();
  const { time_zone } = useGroup();
  const { em } = computeScale(availableWidth, availableHeight);
  return (
    <div style={{ fontSize: em }}>
      <p className={styles["offline"]} role="status">
        {disconnectedSince !== null && `Keine Verbindung – Stand von ${formatTimeOfDay(disconnectedSince, time_zone)}`}
      </p>
    </div>
  );
}
