import { Monitor, Smartphone } from "lucide-react";
import { useId, useState, type ReactNode } from "react";

import type { PushDevice } from "#contract/notifications.ts";
import { ApiError } from "#web/platform/api.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { usePushState } from "#web/platform/push.ts";
import { Button } from "#web/ui/button.tsx";

import { removeDevice, sendTest, usePushDevices } from "../queries.ts";
import { historyOf, wordsOf } from "../rules.ts";
import styles from "./cards.module.css";

/** Which browsers are pushed to; each can be tried and taken off. */
export function DevicesCard(): ReactNode {
  const heading = useId();
  const devices = usePushDevices(usePushState() === "on");
  const [busy, setBusy] = useState<number | "test" | null>(null);
  const [results, setResults] = useState<readonly string[]>([]);
  const during = async (what: number | "test", work: () => Promise<void>): Promise<void> => {
    setBusy(what);
    setResults([]);
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showFlash({ type: "error", text: error.message });
    } finally {
      setBusy(null);
    }
  };
  const remove = (device: PushDevice) =>
    during(device.id, async () => showFlash({ type: "success", text: await removeDevice(device) }));
  const test = () => during("test", async () => setResults(wordsOf(await sendTest())));
  return (
    <section aria-labelledby={heading} aria-busy={devices.isPending} className={styles["stack"]}>
      <h2 id={heading}>Deine Geräte</h2>
      {devices.isPending && <div className={styles["skeleton"]} aria-hidden="true" />}
      {devices.isError && devices.data === undefined && (
        <div className={styles["failed"]}>
          <p>Die Geräte konnten nicht geladen werden.</p>
          <Button onClick={() => void devices.refetch()}>Nochmal versuchen</Button>
        </div>
      )}
      {devices.data?.length === 0 && (
        <p className={styles["hint"]}>Noch bekommt keins deiner Geräte Benachrichtigungen.</p>
      )}
      <ul className={styles["list"]}>
        {devices.data?.map((device) => (
          <DeviceLine
            key={device.id}
            device={device}
            isBusy={busy === device.id}
            isDisabled={busy !== null}
            onRemove={() => void remove(device)}
          />
        ))}
      </ul>
      {devices.data !== undefined && devices.data.length > 0 && (
        <Button isWide isBusy={busy === "test"} disabled={busy !== null} onClick={() => void test()}>
          Test senden
        </Button>
      )}
      <ul className={styles["results"]} role="status">
        {results.map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
    </section>
  );
}

interface DeviceLineProps {
  readonly device: PushDevice;
  readonly isBusy: boolean;
  readonly isDisabled: boolean;
  readonly onRemove: () => void;
}

function DeviceLine({ device, isBusy, isDisabled, onRemove }: DeviceLineProps): ReactNode {
  const Icon = /Android|iPhone|iPad/.test(device.device) ? Smartphone : Monitor;
  return (
    <li className={styles["line"]}>
      <span className={styles["icon"]} aria-hidden="true">
        <Icon size={22} />
      </span>
      <span className={styles["words"]}>
        <strong>{device.device}</strong>
        {device.current && <span className={styles["here"]}>Dieses Gerät</span>}
        <span className={styles["hint"]}>{historyOf(device)}</span>
      </span>
      <Button
        aria-label={`Benachrichtigungen für ${device.device} ausschalten`}
        isBusy={isBusy}
        disabled={isDisabled}
        onClick={onRemove}
      >
        Ausschalten
      </Button>
    </li>
  );
}
