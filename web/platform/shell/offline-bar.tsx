import { CloudOff } from "lucide-react";
import type { ReactNode } from "react";

import { useConnection } from "../connection.ts";
import { useSession } from "../session.ts";
import styles from "./bars.module.css";

/** Says quietly that the server is out of reach; everything else stays usable. */
export function OfflineBar(): ReactNode {
  const { user, isOffline } = useSession();
  const isSilent = useConnection() === "offline" && user !== null;
  return (
    <div role="status">
      {(isOffline || isSilent) && (
        <p className={styles["offline"]}>
          <CloudOff size={18} aria-hidden="true" />
          Keine Verbindung. Wir versuchen es weiter.
        </p>
      )}
    </div>
  );
}
