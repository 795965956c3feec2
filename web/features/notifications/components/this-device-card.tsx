import { Bell, BellOff, BellRing } from "lucide-react";
import { useId, useState, type ReactNode } from "react";

import { usePushState, type PushState } from "#web/platform/push.ts";
import { useGroup } from "#web/platform/session.ts";
import { Button } from "#web/ui/button.tsx";

import { enableThisDevice } from "../queries.ts";
import { isAppleTouch } from "../rules.ts";
import styles from "./cards.module.css";

type KnownState = Exclude<PushState, "starting">;

const icons: Record<KnownState, typeof Bell> = {
  unsupported: BellOff,
  denied: BellOff,
  off: Bell,
  on: BellRing,
  failed: BellOff,
};

/** Whether this browser is told of anything, and what can be done about it. */
export function ThisDeviceCard(): ReactNode {
  const heading = useId();
  const state = usePushState();
  const { vapid_public_key } = useGroup();
  const [isBusy, setBusy] = useState(false);
  const turnOn = async (): Promise<void> => {
    setBusy(true);
    await enableThisDevice(vapid_public_key).finally(() => setBusy(false));
  };
  return (
    <section aria-labelledby={heading} aria-busy={state === "starting"} className={styles["stack"]}>
      <h2 id={heading}>Dieses Gerät</h2>
      {state === "starting" ? <div className={styles["skeleton"]} aria-hidden="true" /> : <State state={state} />}
      {(state === "off" || state === "failed") && (
        <Button kind="primary" isWide isBusy={isBusy} onClick={() => void turnOn()}>
          {state === "off" ? "Einschalten" : "Nochmal versuchen"}
        </Button>
      )}
    </section>
  );
}

function State({ state }: { state: KnownState }): ReactNode {
  const Icon = icons[state];
  return (
    <div className={styles["state"]} data-state={state}>
      <span className={styles["icon"]} aria-hidden="true">
        <Icon size={24} />
      </span>
      <div className={styles["words"]} role="status">
        <Explanation state={state} />
      </div>
    </div>
  );
}

function Explanation({ state }: { state: KnownState }): ReactNode {
  switch (state) {
    case "on":
      return (
        <>
          <strong>Eingeschaltet</strong>
          <p>Du erfährst davon auch, wenn die Seite zu ist, solange du hier eingeloggt bleibst.</p>
        </>
      );
    case "off":
      return (
        <>
          <strong>Ausgeschaltet</strong>
          <p>Schalte sie ein, und du erfährst, wenn jemand anstößt. Auch, wenn die Seite zu ist.</p>
        </>
      );
    case "denied":
      return (
        <>
          <strong>Vom Browser blockiert</strong>
          <p>
            Erlaube Benachrichtigungen für diese Seite in den Einstellungen deines Browsers, meist über das Symbol links
            neben der Adresse. Lade sie danach neu.
          </p>
        </>
      );
    case "failed":
      return (
        <>
          <strong>Das hat nicht geklappt</strong>
          <p>Dein Browser oder sein Push-Dienst macht gerade nicht mit.</p>
        </>
      );
    case "unsupported":
      return isAppleTouch(navigator) ? <AppleSteps /> : <Unsupported />;
  }
}

function AppleSteps(): ReactNode {
  return (
    <>
      <strong>Erst auf den Home-Bildschirm</strong>
      <p>
        iPhone und iPad benachrichtigen nur für installierte Apps. Tippe in Safari auf „Teilen“, dann auf „Zum
        Home-Bildschirm“, öffne die App von dort und komm wieder hierher.
      </p>
    </>
  );
}

function Unsupported(): ReactNode {
  return (
    <>
      <strong>Hier geht es leider nicht</strong>
      <p>Dieser Browser kann keine Benachrichtigungen empfangen, oder er tut es in diesem Fenster nicht.</p>
    </>
  );
}
