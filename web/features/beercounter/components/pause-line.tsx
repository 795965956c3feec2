import { Coffee } from "lucide-react";
import type { ReactNode } from "react";

import { useSession } from "#web/platform/session.ts";
import { useMutation } from "#web/platform/use-mutation.ts";
import { Button } from "#web/ui/button.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Row } from "#web/ui/layout.tsx";
import { endPause } from "../actions.ts";
import styles from "./pause-line.module.css";

/** Reminds a member of the break, and ends it. */
export function PauseLine(): ReactNode {
  const { user } = useSession();
  const { run, pending } = useMutation(endPause);
  if (!user?.is_paused) return null;
  return (
    <Row className={styles["line"]}>
      <Coffee className={styles["icon"]} size={22} />
      <Hint className={styles["text"]}>Du machst Pause: Deine Biere zählen, aber still und ohne Säule.</Hint>
      <Button isBusy={pending !== null} onClick={() => void run(!user.is_hidden)}>
        Pause beenden
      </Button>
    </Row>
  );
}
