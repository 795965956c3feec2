import { Bell } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "#web/ui/button.tsx";
import { usePath } from "../location.ts";
import { allowNotifications, postponeNotifications, useShouldAskForNotifications } from "../notifications.ts";
import { useGroup } from "../session.ts";
import styles from "./notices.module.css";

/** Asks in our own words first: the browser's question may only be opened by a tap. Not where the page itself asks. */
export function NotificationQuestion(): ReactNode {
  const { vapid_public_key } = useGroup();
  const isAsking = useShouldAskForNotifications();
  const isAskedByPage = usePath() === "/notifications";
  if (!isAsking || isAskedByPage) return null;
  return (
    <section className={styles["notice"]} data-question="" aria-label="Benachrichtigungen">
      <Bell size={24} />
      <div className={styles["text"]}>
        <p>Benachrichtigungen erlauben?</p>
        <p className={styles["reason"]}>Dann verpasst du kein Prost.</p>
      </div>
      <div className={styles["buttons"]}>
        <Button onClick={postponeNotifications}>Nicht jetzt</Button>
        <Button kind="primary" onClick={() => void allowNotifications(vapid_public_key)}>
          Erlauben
        </Button>
      </div>
    </section>
  );
}
