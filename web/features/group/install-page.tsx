import { useState, type ReactNode } from "react";

import { promptInstall, useIsInstalled, useCanInstall } from "#web/pwa/install.ts";
import { useGroup } from "#web/session/session.ts";
import { showFlash } from "#web/shell/flash.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Disclosure } from "#web/ui/disclosure.tsx";
import { Page, Stack } from "#web/ui/layout.tsx";
import { usePlaceholder } from "#web/ui/placeholder.tsx";
import { guides, GuideSteps } from "./components/guide.tsx";
import { PhonePicture } from "./components/phone-picture.tsx";
import styles from "./install-page.module.css";
import { detectInstallMethod, installMethods } from "./rules.ts";

/** Explains how to install the app, first on the visitor's device and then on others. */
export function InstallPage(): ReactNode {
  const { group_name: group } = useGroup();
  const isPlaceholder = usePlaceholder();
  const [mine] = useState(() =>
    isPlaceholder ? "desktop" : detectInstallMethod(navigator.userAgent, navigator.maxTouchPoints),
  );
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

/**
 * Shows an install button if the browser supports one, otherwise `children`, the manual
 * instructions.
 */
function InstallHere({ children }: { children: ReactNode }): ReactNode {
  const isPlaceholder = usePlaceholder();
  const isInstalled = useIsInstalled();
  const mayAsk = useCanInstall();
  const install = async (): Promise<void> => {
    if (await promptInstall()) showFlash({ type: "success", text: "Die App wird installiert." });
  };
  if (!isPlaceholder && !("serviceWorker" in navigator)) {
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
