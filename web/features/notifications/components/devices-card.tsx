import { useId, useState, type ReactNode } from "react";

import { useAction } from "#web/forms/use-action.ts";
import { usePushState } from "#web/pwa/push.ts";
import { DeviceItem } from "#web/shared/device-item.tsx";
import { Button } from "#web/ui/button.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { List } from "#web/ui/list.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { removeDevice, sendTestPush, usePushDevices } from "../queries.ts";
import { describeDevice, describeTests } from "../rules.ts";
import styles from "./devices-card.module.css";

/**
 * Lists the member's browsers that receive push notifications, with buttons to test and remove
 * them.
 */
export function DevicesCard(): ReactNode {
  const heading = useId();
  const devices = usePushDevices(usePushState() === "on");
  const [results, setResults] = useState<readonly string[]>([]);
  const removing = useAction(removeDevice);
  const testing = useAction(async () => setResults(describeTests(await sendTestPush())));
  const isBusy = removing.isPending || testing.isPending;
  return (
    <Stack as="section" aria-labelledby={heading}>
      <h2 id={heading}>Deine Geräte</h2>
      <QueryState
        query={devices}
        failedText="Die Geräte konnten gerade nicht geladen werden."
        skeleton={<Skeleton size="large" />}
      >
        {(all) =>
          all.length === 0 ? (
            <Hint>Noch bekommt keins deiner Geräte Benachrichtigungen.</Hint>
          ) : (
            <>
              <List>
                {all.map((device) => (
                  <DeviceItem
                    key={device.id}
                    name={device.device}
                    isThisOne={device.current}
                    detail={describeDevice(device)}
                  >
                    <Button
                      aria-label={`Benachrichtigungen für ${device.device} ausschalten`}
                      isBusy={removing.pending?.[0].id === device.id}
                      disabled={isBusy}
                      onClick={() => void removing.run(device)}
                    >
                      Ausschalten
                    </Button>
                  </DeviceItem>
                ))}
              </List>
              <Button isWide isBusy={testing.isPending} disabled={isBusy} onClick={() => void testing.run()}>
                Test senden
              </Button>
            </>
          )
        }
      </QueryState>
      <Stack as="ul" gap={2} className={styles["results"]} role="status">
        {results.map((text, index) => (
          <li key={index}>{text}</li>
        ))}
      </Stack>
    </Stack>
  );
}
