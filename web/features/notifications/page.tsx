import type { ReactNode } from "react";

import { useSession } from "#web/session/session.ts";
import { Card, CardPage } from "#web/ui/card.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { DevicesCard } from "./components/devices-card.tsx";
import { SettingsCard } from "./components/settings-card.tsx";
import { ThisDeviceCard } from "./components/this-device-card.tsx";

export function NotificationsPage(): ReactNode {
  const { user } = useSession();
  if (user === null) return null;
  return (
    <CardPage title="Benachrichtigungen">
      <Stack gap={5}>
        <Card>
          <ThisDeviceCard />
        </Card>
        <Card>
          <DevicesCard />
        </Card>
      </Stack>
      <Card>
        <SettingsCard maySeeGameServers={user.permissions.includes("see-game-servers")} />
      </Card>
    </CardPage>
  );
}
