import { useId, useState, type ReactNode } from "react";

import { usePushState } from "#web/platform/push.ts";
import { useMutation } from "#web/platform/use-mutation.ts";
import { Button } from "#web/ui/button.tsx";
import { DeviceLine } from "#web/ui/device-line.tsx";

import { removeDevice, sendTestPush, usePushDevices } from "../queries.ts";
import { describeDevice, describeTests } from "../rules.ts";
import styles from "./cards.module.css";

/** Which browsers are pushed to; each can be tried and taken off. */
export function DevicesCard(): ReactNode {
  const heading = useId();
  const devices = usePushDevices(usePushState() === "on");
  const [results, setResults] = useState<readonly string[]>([]);
  const removing = useMutation(removeDevice);
  const testing = useMutation(async () => setResults(describeTests(await sendTestPush())));
  const isBusy = removing.pending !== null || testing.pending !== null;
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
          <DeviceLine key={device.id} name={device.device} isThisOne={device.current} detail={describeDevice(device)}>
            <Button
              aria-label={`Benachrichtigungen für ${device.device} ausschalten`}
              isBusy={removing.pending?.[0].id === device.id}
              disabled={isBusy}
              onClick={() => void removing.run(device)}
            >
              Ausschalten
            </Button>
          </DeviceLine>
        ))}
      </ul>
      {devices.data !== undefined && devices.data.length > 0 && (
        <Button isWide isBusy={testing.pending !== null} disabled={isBusy} onClick={() => void testing.run()}>
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
