import { CloudOff } from "lucide-react";
import type { ReactNode } from "react";

import { useSession } from "../session.ts";
import styles from "./bars.module.css";

/** Says quietly that the server is out of reach; everything else stays usable. */
export function OfflineBar(): ReactNode {
  const { isOffline } = useSession();
  return (
    <div className={styles["place"]} role="status">
      {isOffline && (
        <p className={styles["offline"]}>
          <CloudOff size={18} aria-hidden="true" />
          Keine Verbindung. Wir versuchen es weiter.
        </p>
      )}
    </div>
  );
}
