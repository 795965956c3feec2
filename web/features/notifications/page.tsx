import type { ReactNode } from "react";

import { useSession } from "#web/platform/session.ts";
import { BeerMat } from "#web/ui/beer-mat.tsx";

import { DevicesCard } from "./components/devices-card.tsx";
import { SettingsCard } from "./components/settings-card.tsx";
import { ThisDeviceCard } from "./components/this-device-card.tsx";
import styles from "./page.module.css";

export function NotificationsPage(): ReactNode {
  const { user } = useSession();
  if (user === null) return null;
  return (
    <>
      <h1 className={styles["title"]}>Benachrichtigungen</h1>
      <div className={styles["cards"]}>
        <div className={styles["column"]}>
          <BeerMat shape="square">
            <div className={styles["card"]}>
              <ThisDeviceCard />
            </div>
          </BeerMat>
          <BeerMat shape="square">
            <div className={styles["card"]}>
              <DevicesCard />
            </div>
          </BeerMat>
        </div>
        <BeerMat shape="square">
          <div className={styles["card"]}>
            <SettingsCard maySeeGameServers={user.permissions.includes("see-game-servers")} />
          </div>
        </BeerMat>
      </div>
    </>
  );
}
