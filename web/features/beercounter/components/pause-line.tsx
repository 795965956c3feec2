import { Coffee } from "lucide-react";
import type { ReactNode } from "react";

import { useAction } from "#web/forms/use-action.ts";
import { useSession } from "#web/session/session.ts";
import { Button } from "#web/ui/button.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Row } from "#web/ui/layout.tsx";
import { endPause } from "../actions.ts";
import styles from "./pause-line.module.css";

/**
 * Reminds members that they are paused, so that others are not notified of their beers, with a
 * button that ends the pause.
 */
export function PauseLine(): ReactNode {
  const { user } = useSession();
  const { run, pending } = useAction(endPause);
  if (!user?.is_paused) return null;
  return (
    <Row className={styles["line"]} data-wrap="never">
      <Coffee className={styles["icon"]} size={22} />
      <Hint className={styles["text"]}>Du machst Pause. Deine Biere zählen still.</Hint>
      <Button isBusy={pending !== null} aria-label="Pause beenden" onClick={() => void run(!user.is_hidden)}>
        Beenden
      </Button>
    </Row>
  );
}
