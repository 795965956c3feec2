import { useState, type ReactNode } from "react";

import { showFlash } from "#web/platform/flash.tsx";
import { promptInstall, useIsInstalled, useCanInstall } from "#web/platform/install.ts";
import { useGroup } from "#web/platform/session.ts";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { Disclosure } from "#web/ui/disclosure.tsx";
import { Page, Stack } from "#web/ui/layout.tsx";
import { guides, GuideSteps } from "./components/guide.tsx";
import { PhonePicture } from "./components/phone-picture.tsx";
import styles from "./install-page.module.css";
import { detectInstallMethod, installMethods } from "./rules.ts";

/** How to get the app onto this device, and onto the others. */
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

/** One button where the browser lets us ask; otherwise what there is to do by hand. */
function InstallHere({ children }: { children: ReactNode }): ReactNode {
  const isInstalled = useIsInstalled();
  const mayAsk = useCanInstall();
  const install = async (): Promise<void> => {
    if (await promptInstall()) showFlash({ type: "success", text: "Die App wird installiert." });
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
