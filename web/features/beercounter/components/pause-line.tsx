import { Coffee } from "lucide-react";
import type { ReactNode } from "react";

import { useSession } from "#web/platform/session.ts";
import { useAction } from "#web/platform/use-action.ts";
import { Button } from "#web/ui/button.tsx";

import { endPause } from "../actions.ts";
import styles from "./pause-line.module.css";

/** Reminds whoever takes a break, and ends it. */
export function PauseLine(): ReactNode {
  const { user } = useSession();
  const { run, running } = useAction(endPause);
  if (!user?.is_paused) return null;
  return (
    <div className={styles["line"]}>
      <Coffee className={styles["icon"]} size={22} aria-hidden="true" />
      <p className={styles["words"]}>Du machst Pause: Deine Biere zählen, aber still und ohne Säule.</p>
      <Button isBusy={running !== null} onClick={() => void run(!user.is_hidden)}>
        Pause beenden
      </Button>
    </div>
  );
}
