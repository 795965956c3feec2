import { useMatches } from "@tanstack/react-router";
import { Bell } from "lucide-react";
import type { ReactNode } from "react";

import { allowNotifications, postponeNotifications, useShouldAskForNotifications } from "#web/page/notifications.ts";
import { useGroup } from "#web/page/session.ts";
import { Button } from "#web/ui/button.tsx";
import styles from "./shell.module.css";

/** Asks before the browser's own question, which requires a tap. The settings page has its own button. */
export function NotificationQuestion(): ReactNode {
  const { vapid_public_key } = useGroup();
  const isAsking = useShouldAskForNotifications();
  const isAskedByPage = useMatches({ select: (matches) => matches.at(-1)?.fullPath === "/notifications" });
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
