import { Bell, CloudOff, RefreshCw } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "#web/ui/button.tsx";

import { useConnection } from "../connection.ts";
import { usePath } from "../location.ts";
import { allowNotifications, postponeNotifications, useShouldAskForNotifications } from "../notifications.ts";
import { activateNewVersion, useIsNewVersionReady } from "../service-worker.ts";
import { useGroup, useSession } from "../session.ts";
import styles from "./notices.module.css";

/** What the app itself has to say, one thing at a time, at the lower edge of the window. */
export function Notices(): ReactNode {
  const { user, isOffline } = useSession();
  const isDisconnected = useConnection() === "offline" && user !== null;
  const isReady = useIsNewVersionReady();
  const isAsking = useShouldAskForNotifications();
  // There the page itself asks.
  const isAskedByPage = usePath() === "/notifications";
  const isCutOff = isOffline || isDisconnected;
  return (
    <div className={styles["notices"]}>
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
      {!isCutOff && !isReady && isAsking && !isAskedByPage && <NotificationQuestion />}
    </div>
  );
}

/** Asks in our own words first: the browser's question may only be opened by a tap. */
function NotificationQuestion(): ReactNode {
  const { vapid_public_key } = useGroup();
  return (
    <section className={styles["notice"]} data-question="" aria-label="Benachrichtigungen">
      <Bell size={24} />
      <div>
        <p>Benachrichtigungen erlauben?</p>
        <p className={styles["why"]}>Dann verpasst du kein Prost.</p>
      </div>
      <div className={styles["answers"]}>
        <Button onClick={postponeNotifications}>Nicht jetzt</Button>
        <Button kind="primary" onClick={() => void allowNotifications(vapid_public_key)}>
          Erlauben
        </Button>
      </div>
    </section>
  );
}
