import { Bell } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "#web/ui/button.tsx";
import { Row } from "#web/ui/layout.tsx";

import { usePath } from "../location.ts";
import { allowNotifications, postponeNotifications, useShouldAskForNotifications } from "../notifications.ts";
import { useGroup } from "../session.ts";
import styles from "./bars.module.css";

/** Asks in our own words first: the browser's question may only be opened by a tap. */
export function NotificationBar(): ReactNode {
  const isAsking = useShouldAskForNotifications();
  const { vapid_public_key } = useGroup();
  const path = usePath();
  // There the page itself asks.
  if (!isAsking || path === "/notifications") return null;
  return (
    <section className={styles["question"]} aria-label="Benachrichtigungen">
      <Row gap={2} className={styles["inner"]} data-justify="between">
        <p className={styles["words"]}>
          <Bell size={20} aria-hidden="true" />
          Benachrichtigungen erlauben?
        </p>
        <Row gap={2}>
          <Button onClick={postponeNotifications}>Nicht jetzt</Button>
          <Button kind="primary" onClick={() => void allowNotifications(vapid_public_key)}>
            Erlauben
          </Button>
        </Row>
      </Row>
    </section>
  );
}
