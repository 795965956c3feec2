import { CloudOff, RefreshCw } from "lucide-react";
import { useState, type MouseEvent, type ReactNode } from "react";

import { Footer } from "#web/page/footer.tsx";
import { Messages } from "#web/page/messages.tsx";
import { activateNewVersion, useIsNewVersionReady } from "#web/page/service-worker.ts";
import { useClient, useMember, useStore } from "#web/page/session.ts";
import { Stack } from "#web/ui/layout.tsx";
import { Header } from "./header.tsx";
import { NotificationQuestion } from "./notification-question.tsx";
import styles from "./shell.module.css";

export function Shell({ children }: { children: ReactNode }): ReactNode {
  const [isSidebarOpen, setSidebarOpen] = useState(false);
  return (
    <div className={styles["shell"]}>
      <a className={styles["skip"]} href="#content" onClick={skipToContent}>
        Zum Inhalt springen
      </a>
      <Header isSidebarOpen={isSidebarOpen} onSidebar={setSidebarOpen} />
      <ConnectionNotice />
      <main id="content" className={styles["main"]} tabIndex={-1}>
        {/* Inside of the `main` that it covers, so that a click on the page hits the scrim. */}
        <div className={styles["scrim"]} data-open={isSidebarOpen || undefined} />
        <div className={styles["column"]} inert={isSidebarOpen}>
          {children}
        </div>
      </main>
      <Footer isInert={isSidebarOpen} />
      <Notices />
      <Messages />
    </div>
  );
}

function skipToContent(event: MouseEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>("#content")?.focus();
}

/** Uses space that the page's padding reserves. */
function ConnectionNotice(): ReactNode {
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

/** Shows notices at the end of the page, where they cover no control. */
function Notices(): ReactNode {
  const isCutOff = useIsCutOff();
  const member = useMember();
  const isReady = useIsNewVersionReady() && !isCutOff;
  return (
    <Stack gap={0} className={styles["notices"]} data-align="center">
      <div role="status">
        {isReady && (
          // Waits for a tap, or until all windows of the app are closed.
          <button type="button" className={styles["notice"]} onClick={activateNewVersion}>
            <RefreshCw size={20} />
            Neue Version – neu laden
          </button>
        )}
      </div>
      {!isCutOff && !isReady && member !== null && <NotificationQuestion />}
    </Stack>
  );
}

function useIsCutOff(): boolean {
  const { isOffline, realtime } = useClient();
  const isDisconnected = useStore(realtime.connection) === "offline";
  return useStore(isOffline) || isDisconnected;
}
