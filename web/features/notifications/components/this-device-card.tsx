import { Bell, BellOff, BellRing } from "lucide-react";
import { useId, type ReactNode } from "react";

import { useAction } from "#web/forms/use-action.ts";
import { usePushState, type PushState } from "#web/pwa/push.ts";
import { useGroup, useSession } from "#web/session/session.ts";
import { Button } from "#web/ui/button.tsx";
import { Hint } from "#web/ui/hint.tsx";
import { IconDisc } from "#web/ui/icon-disc.tsx";
import { Stack } from "#web/ui/layout.tsx";
import { ListItem } from "#web/ui/list-item.tsx";
import { Skeleton } from "#web/ui/query-state.tsx";
import { enableThisDevice } from "../queries.ts";
import { isAppleTouch } from "../rules.ts";

type KnownState = Exclude<PushState, "starting">;

const icons: Record<KnownState, typeof Bell> = {
  unsupported: BellOff,
  denied: BellOff,
  off: Bell,
  on: BellRing,
  failed: BellOff,
};

/** Shows whether this browser receives notifications, with buttons to change that. */
export function ThisDeviceCard(): ReactNode {
  const heading = useId();
  const state = usePushState();
  const { vapid_public_key } = useGroup();
  const { isOffline } = useSession();
  const enabling = useAction(enableThisDevice);
  return (
    <Stack as="section" aria-labelledby={heading}>
      <h2 id={heading}>Dieses Gerät</h2>
      {state !== "starting" && <State state={state} />}
      {state === "starting" && !isOffline && <Skeleton size="large" />}
      {state === "starting" && isOffline && <Hint>Ohne Verbindung lässt sich das gerade nicht feststellen.</Hint>}
      {(state === "off" || state === "failed") && (
        <Button kind="primary" isWide isBusy={enabling.isPending} onClick={() => void enabling.run(vapid_public_key)}>
          {state === "off" ? "Einschalten" : "Nochmal versuchen"}
        </Button>
      )}
    </Stack>
  );
}

function State({ state }: { state: KnownState }): ReactNode {
  return (
    <ListItem
      data-align="start"
      role="status"
      picture={<IconDisc icon={icons[state]} size={24} tone={state === "on" ? "beer" : "plain"} />}
    >
      <Explanation state={state} />
    </ListItem>
  );
}

function Explanation({ state }: { state: KnownState }): ReactNode {
  switch (state) {
    case "on":
      return (
        <>
          <strong>Eingeschaltet</strong>
          <span>Du erfährst davon auch, wenn die Seite zu ist, solange du hier angemeldet bleibst.</span>
        </>
      );
    case "off":
      return (
        <>
          <strong>Ausgeschaltet</strong>
          <span>Schalte sie ein, und du erfährst, wenn jemand anstößt. Auch, wenn die Seite zu ist.</span>
        </>
      );
    case "denied":
      return (
        <>
          <strong>Vom Browser blockiert</strong>
          <span>
            Erlaube Benachrichtigungen für diese Seite in den Einstellungen deines Browsers, meist über das Symbol links
            neben der Adresse. Lade sie danach neu.
          </span>
        </>
      );
    case "failed":
      return (
        <>
          <strong>Das hat nicht geklappt</strong>
          <span>
            Dein Browser oder sein Push-Dienst macht gerade nicht mit. Klappt es auch später nicht, nimm einen anderen
            Browser.
          </span>
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
      <span>
        iPhone und iPad benachrichtigen nur für installierte Apps. Tippe in Safari auf „Teilen“, dann auf „Zum
        Home-Bildschirm“, öffne die App von dort und komm wieder hierher.
      </span>
    </>
  );
}

function Unsupported(): ReactNode {
  return (
    <>
      <strong>Hier geht es leider nicht</strong>
      <span>
        Dieses Fenster kann keine Benachrichtigungen empfangen. Öffne die Seite in Chrome, Edge, Firefox oder Safari,
        nicht privat und nicht in einer anderen App.
      </span>
    </>
  );
}
