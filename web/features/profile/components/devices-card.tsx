import { useId, useState, type ReactNode } from "react";

import type { Device } from "#contract/profile.ts";
import { ApiError } from "#web/platform/api.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { Button } from "#web/ui/button.tsx";
import { DeviceLine } from "#web/ui/device-line.tsx";
import { timeAgo } from "#web/ui/german.ts";

import { endDevice, endOtherDevices, useDevices } from "../queries.ts";
import styles from "./devices-card.module.css";

/** Where one is logged in, and the way to end that. */
export function DevicesCard(): ReactNode {
  const heading = useId();
  const devices = useDevices();
  const [ending, setEnding] = useState<string | null>(null);
  const end = async (what: string, work: () => Promise<string>): Promise<void> => {
    setEnding(what);
    try {
      showFlash({ type: "success", text: await work() });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showFlash({ type: "error", text: error.message });
    } finally {
      setEnding(null);
    }
  };
  const others = devices.data?.filter(({ current }) => !current) ?? [];
  return (
    <section aria-labelledby={heading} aria-busy={devices.isPending}>
      <h2 id={heading} className={styles["title"]}>
        Angemeldete Geräte
      </h2>
      {devices.isPending && <div className={styles["skeleton"]} aria-hidden="true" />}
      {devices.isError && devices.data === undefined && (
        <div className={styles["failed"]}>
          <p>Die Geräte konnten nicht geladen werden.</p>
          <Button onClick={() => void devices.refetch()}>Nochmal versuchen</Button>
        </div>
      )}
      <ul className={styles["list"]}>
        {devices.data?.map((device) => (
          <DeviceLine key={device.id} name={device.device} isThisOne={device.current} detail={activityOf(device)}>
            {!device.current && (
              <Button
                aria-label={`${device.device} abmelden`}
                isBusy={ending === device.id}
                disabled={ending !== null}
                onClick={() => void end(device.id, () => endDevice(device.id))}
              >
                Abmelden
              </Button>
            )}
          </DeviceLine>
        ))}
      </ul>
      {others.length > 0 && (
        <Button
          kind="danger"
          isWide
          isBusy={ending === "others"}
          disabled={ending !== null}
          onClick={() => void end("others", endOtherDevices)}
        >
          Alle anderen abmelden
        </Button>
      )}
    </section>
  );
}

function activityOf({ current, last_seen_at }: Device): ReactNode {
  if (current) return null;
  return <time dateTime={last_seen_at}>Aktiv {timeAgo(Date.parse(last_seen_at), Date.now())}</time>;
}
