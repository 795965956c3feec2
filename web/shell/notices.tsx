import { CloudOff, RefreshCw } from "lucide-react";
import type { ReactNode } from "react";

import { useConnection } from "#web/data/connection.ts";
import { activateNewVersion, useIsNewVersionReady } from "#web/pwa/service-worker.ts";
import { useSession } from "#web/session/session.ts";
import { Stack } from "#web/ui/layout.tsx";
import styles from "./notices.module.css";

/** A line below the header while the server cannot be reached. The page's padding reserves its space. */
export function ConnectionNotice(): ReactNode {
  return (
    <div className={styles["connection"]} role="status">
      {useIsCutOff() && (
        <p className={styles["line"]}>
          <CloudOff size={16} />
          Keine Verbindung. Wir versuchen es weiter.
        </p>
      )}
    </div>
  );
}

/**
 * Messages about the app at the end of the page, where they cover no control: a newer version, or
 * the question about notifications.
 */
export function Notices({ question }: { question: ReactNode }): ReactNode {
  const isCutOff = useIsCutOff();
  const isReady = useIsNewVersionReady() && !isCutOff;
  return (
    <Stack gap={0} className={styles["notices"]} data-align="center">
      <div role="status">
        {isReady && (
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

function useIsCutOff(): boolean {
  const { user, isOffline } = useSession();
  const isDisconnected = useConnection() === "offline" && user !== null;
  return isOffline || isDisconnected;
}
