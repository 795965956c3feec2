import type { ReactNode } from "react";

import { Button } from "#web/ui/button.tsx";

import styles from "./loading-failed.module.css";

/** Says what could not be loaded, and offers the way out. */
export function LoadingFailed({ what, onRetry }: { what: string; onRetry: () => void }): ReactNode {
  return (
    <div className={styles["failed"]}>
      <p>{`${what} ${what.startsWith("Die") ? "konnten" : "konnte"} gerade nicht geladen werden.`}</p>
      <Button onClick={onRetry}>Nochmal versuchen</Button>
    </div>
  );
}
