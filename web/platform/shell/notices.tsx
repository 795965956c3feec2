import { CloudOff, RefreshCw } from "lucide-react";
import type { ReactNode } from "react";

import { Stack } from "#web/ui/layout.tsx";
import { useConnection } from "../connection.ts";
import { activateNewVersion, useIsNewVersionReady } from "../service-worker.ts";
import { useSession } from "../session.ts";
import styles from "./notices.module.css";

/** What the app itself has to say, one thing at a time, at the lower edge of the window; the question last. */
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
          // Nobody is interrupted: the newer version waits until it is wanted, or everything was closed.
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
