import { CloudOff, RefreshCw } from "lucide-react";
import type { ReactNode } from "react";

import { useConnection } from "#web/data/connection.ts";
import { activateNewVersion, useIsNewVersionReady } from "#web/pwa/service-worker.ts";
import { useSession } from "#web/session/session.ts";
import { Stack } from "#web/ui/layout.tsx";
import styles from "./notices.module.css";

/**
 * Messages about the app at the lower edge of the window: no connection, a newer version, or the
 * question about notifications. Only the first that applies is shown.
 */
export function Notices({ question }: { question: ReactNode }): ReactNode {
  const { user, isOffline } = useSession();
  const isDisconnected = useConnection() === "offline" && user !== null;
  const isReady = useIsNewVersionReady();
  const isCutOff = isOffline || isDisconnected;
  return (
    <Stack gap={0} className={styles["notices"]} data-align="center">
      <div role="status">
        {isCutOff && (
          <p className={styles["notice"]}>
            <CloudOff size={20} />
            <span>
              Keine Verbindung.<span> Wir versuchen es weiter.</span>
            </span>
          </p>
        )}
        {!isCutOff && isReady && (
          // The update does not interrupt the user: the newer version waits for a tap, or until all
          // windows of the app are closed.
          <button type="button" className={styles["notice"]} onClick={activateNewVersion}>
            <RefreshCw size={20} />
            Neue Version – neu laden
          </button>
        )}
      </div>
      {!isCutOff && !isReady && question}
    </Stack>
  );
}
