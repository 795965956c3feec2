import { EllipsisVertical, MonitorDown, Share, SquarePlus } from "lucide-react";
import { useState, type ReactNode } from "react";

import { promptInstall, useIsInstalled, useCanInstall } from "#web/page/install.ts";
import { showMessage } from "#web/page/messages.tsx";
import { useGroup } from "#web/page/session.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Logo } from "#web/ui/icons.tsx";
import { Page, Stack } from "#web/ui/layout.tsx";
import { Disclosure, Hint, Steps } from "#web/ui/text.tsx";
import styles from "./install-page.module.css";
import { detectInstallMethod, installMethods, type InstallMethod } from "./rules.ts";

export function InstallPage(): ReactNode {
  const { group_name: group } = useGroup();
  const [mine] = useState(() => detectInstallMethod(navigator.userAgent, navigator.maxTouchPoints));
  return (
    <Page title="App installieren">
      <Card gap={5} className={styles["card"]} data-align="center">
        <PhonePicture />
        <Stack className={styles["text"]}>
          <p>{group} mit eigenem Symbol und ohne Adresszeile. Öffnet sich auch im Keller ohne Empfang.</p>
          <InstallHere>
            <h2>{guides[mine].title}</h2>
            <GuideSteps guide={guides[mine]} />
          </InstallHere>
        </Stack>
      </Card>
      <Card gap={0}>
        <h2 className={styles["othersTitle"]}>Anderes Gerät?</h2>
        {installMethods
          .filter((way) => way !== mine)
          .map((way) => (
            <Disclosure key={way} title={guides[way].title}>
              <GuideSteps guide={guides[way]} />
            </Disclosure>
          ))}
      </Card>
    </Page>
  );
}

/** Shows `children`, the manual instructions, if the browser has no install prompt. */
function InstallHere({ children }: { children: ReactNode }): ReactNode {
  const isInstalled = useIsInstalled();
  const mayAsk = useCanInstall();
  const install = async (): Promise<void> => {
    if (await promptInstall()) showMessage({ type: "success", text: "Die App wird installiert." });
  };
  if (!("serviceWorker" in navigator)) {
    return (
      <p>
        In diesem Fenster geht das leider nicht. Öffne die Seite in deinem Browser, mit https und nicht in einem
        privaten Fenster oder einer anderen App.
      </p>
    );
  }
  if (isInstalled) return <p className={styles["done"]}>Hier ist die App schon installiert. Prost!</p>;
  if (!mayAsk) return children;
  return (
    <Button kind="primary" isWide onClick={() => void install()}>
      Installieren
    </Button>
  );
}

function PhonePicture(): ReactNode {
  return (
    <div className={styles["phone"]} aria-hidden="true">
      <svg viewBox="0 0 120 220">
        <rect className={styles["case"]} x="1" y="1" width="118" height="218" rx="20" />
        <rect className={styles["screen"]} x="7" y="7" width="106" height="206" rx="14" />
        <rect className={styles["case"]} x="45" y="12" width="30" height="7" rx="3.5" />
        {apps.map(([x, y]) => (
          <rect key={`${x} ${y}`} className={styles["app"]} x={x} y={y} width="24" height="24" rx="7" />
        ))}
        <rect className={styles["bar"]} x="42" y="204" width="36" height="3" rx="1.5" />
      </svg>
      <span className={styles["ours"]}>
        <Logo size={52} />
      </span>
    </div>
  );
}

const apps = [30, 62, 126, 158].flatMap((y) => [16, 48, 80].map((x) => [x, y] as const));

interface Guide {
  readonly title: string;
  readonly steps: readonly ReactNode[];
  readonly remark?: string;
}

const icon = { size: 20, className: styles["icon"] } as const;

/** Worded like the menus of each browser. */
const guides: Readonly<Record<InstallMethod, Guide>> = {
  ios: {
    title: "iPhone und iPad",
    steps: [
      <>
        Tippe auf <Share {...icon} /> „Teilen“: unten in der Leiste, auf dem iPad oben.
      </>,
      <>
        Wähle <SquarePlus {...icon} /> „Zum Home-Bildschirm“. Nicht zu sehen? Zieh die Liste nach oben.
      </>,
      <>Tippe auf „Hinzufügen“.</>,
    ],
    remark: "Mitteilungen gibt es hier erst, wenn die App auf dem Home-Bildschirm liegt.",
  },
  android: {
    title: "Android",
    steps: [
      <>
        Öffne das Menü <EllipsisVertical {...icon} /> des Browsers.
      </>,
      <>Tippe auf „App installieren“ oder „Zum Startbildschirm hinzufügen“.</>,
      <>Bestätige mit „Installieren“.</>,
    ],
  },
  "android-firefox": {
    title: "Firefox auf Android",
    steps: [
      <>
        Öffne das Menü <EllipsisVertical {...icon} /> neben der Adresse.
      </>,
      <>Tippe auf „App zum Startbildschirm hinzufügen“.</>,
      <>Bestätige mit „Hinzufügen“.</>,
    ],
  },
  desktop: {
    title: "Chrome und Edge auf dem Computer",
    steps: [
      <>
        Klicke rechts in der Adresszeile auf <MonitorDown {...icon} />.
      </>,
      <>Bestätige mit „Installieren“.</>,
    ],
    remark: "Kein Symbol da? Im Menü des Browsers steht es unter „Apps“ oder „Speichern und teilen“.",
  },
  "mac-safari": {
    title: "Safari auf dem Mac",
    steps: [<>Öffne oben das Menü „Ablage“.</>, <>Wähle „Zum Dock hinzufügen“.</>, <>Bestätige mit „Hinzufügen“.</>],
  },
  "desktop-firefox": {
    title: "Firefox auf dem Computer",
    steps: [
      <>Unter Windows: Klicke in der Adresszeile auf das Symbol für die Taskleiste.</>,
      <>Sonst: Klicke mit rechts auf den Tab und dann auf „Tab anheften“.</>,
    ],
  },
};

function GuideSteps({ guide }: { guide: Guide }): ReactNode {
  return (
    <>
      <Steps>{guide.steps}</Steps>
      {guide.remark !== undefined && <Hint className={styles["remark"]}>{guide.remark}</Hint>}
    </>
  );
}
