import { Monitor, Smartphone } from "lucide-react";
import { useId, useState, type ReactNode } from "react";

import type { Device } from "#contract/profile.ts";
import { ApiError } from "#web/platform/api.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { Button } from "#web/ui/button.tsx";
import { timeAgo } from "#web/ui/time-ago.ts";

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
          <DeviceLine
            key={device.id}
            device={device}
            isEnding={ending === device.id}
            isDisabled={ending !== null}
            onEnd={() => void end(device.id, () => endDevice(device.id))}
          />
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

interface DeviceLineProps {
  readonly device: Device;
  readonly isEnding: boolean;
  readonly isDisabled: boolean;
  readonly onEnd: () => void;
}

function DeviceLine({ device, isEnding, isDisabled, onEnd }: DeviceLineProps): ReactNode {
  const Icon = /Android|iPhone|iPad/.test(device.device) ? Smartphone : Monitor;
  return (
    <li className={styles["line"]}>
      <span className={styles["icon"]} aria-hidden="true">
        <Icon size={22} />
      </span>
      <span className={styles["words"]}>
        <strong>{device.device}</strong>
        {device.current ? (
          <span className={styles["here"]}>Dieses Gerät</span>
        ) : (
          <time className={styles["when"]} dateTime={device.last_seen_at}>
            Aktiv {timeAgo(Date.parse(device.last_seen_at), Date.now())}
          </time>
        )}
      </span>
      {!device.current && (
        <Button aria-label={`${device.device} abmelden`} isBusy={isEnding} disabled={isDisabled} onClick={onEnd}>
          Abmelden
        </Button>
      )}
    </li>
  );
}
