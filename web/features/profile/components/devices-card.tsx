import { useId, type ReactNode } from "react";

import type { Device } from "#contract/profile.ts";
import { useAction } from "#web/forms/use-action.ts";
import { DeviceItem } from "#web/shared/device-item.tsx";
import { Button } from "#web/ui/button.tsx";
import { timeAgo } from "#web/ui/german.ts";
import { Stack } from "#web/ui/layout.tsx";
import { List } from "#web/ui/list.tsx";
import { QueryState, Skeleton } from "#web/ui/query-state.tsx";
import { endDevice, endOtherDevices, useDevices } from "../queries.ts";

/** Lists the devices on which the member is logged in, with buttons to log them out. */
export function DevicesCard(): ReactNode {
  const heading = useId();
  const devices = useDevices();
  const end = useAction(endDevice);
  const endOthers = useAction(endOtherDevices);
  const isBusy = end.isPending || endOthers.isPending;
  const hasOthers = devices.data?.some(({ current }) => !current) === true;
  return (
    <Stack as="section" aria-labelledby={heading}>
      <Stack gap={3}>
        <h2 id={heading}>Angemeldete Geräte</h2>
        <QueryState
          query={devices}
          failedText="Die Geräte konnten gerade nicht geladen werden."
          skeleton={<Skeleton size="large" />}
        >
          {(all) => (
            <List>
              {all.map(({ id, device: name, current, last_seen_at }) => (
                <DeviceItem key={id} name={name} isThisOne={current} detail={current ? null : activityOf(last_seen_at)}>
                  {!current && (
                    <Button
                      aria-label={`${name} abmelden`}
                      isBusy={end.pending?.[0] === id}
                      disabled={isBusy}
                      onClick={() => void end.run(id)}
                    >
                      Abmelden
                    </Button>
                  )}
                </DeviceItem>
              ))}
            </List>
          )}
        </QueryState>
      </Stack>
      {hasOthers && (
        <Button
          kind="danger"
          isWide
          isBusy={endOthers.isPending}
          disabled={isBusy}
          onClick={() => void endOthers.run()}
        >
          Alle anderen abmelden
        </Button>
      )}
    </Stack>
  );
}

function activityOf(lastSeenAt: Device["last_seen_at"]): ReactNode {
  return <time dateTime={lastSeenAt}>Aktiv {timeAgo(Date.parse(lastSeenAt), Date.now())}</time>;
}
