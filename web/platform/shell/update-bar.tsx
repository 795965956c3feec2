import { RefreshCw } from "lucide-react";
import type { ReactNode } from "react";

import { Button } from "#web/ui/button.tsx";

import { activateNewVersion, useIsNewVersionReady } from "../service-worker.ts";
import styles from "./bars.module.css";

/** Says that a newer version is there. Nobody is interrupted: it waits until it is wanted, or everything was closed. */
export function UpdateBar(): ReactNode {
  const isReady = useIsNewVersionReady();
  return (
    <div role="status">
      {isReady && (
        <p className={styles["update"]}>
          <Button onClick={activateNewVersion}>
            <RefreshCw size={18} aria-hidden="true" />
            Neue Version – neu laden
          </Button>
        </p>
      )}
    </div>
  );
}
