import { EllipsisVertical, MonitorDown, Share, SquarePlus } from "lucide-react";
import type { ReactNode } from "react";

import { Hint } from "#web/ui/hint.tsx";
import { Steps } from "#web/ui/steps.tsx";
import type { InstallMethod } from "../rules.ts";
import styles from "./guide.module.css";

interface Guide {
  readonly title: string;
  readonly steps: readonly ReactNode[];
  readonly remark?: string;
}

const icon = { size: 20, className: styles["icon"] } as const;

/** Steps for installing the app, worded like the menus of each browser. */
export const guides: Readonly<Record<InstallMethod, Guide>> = {
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

export function GuideSteps({ guide }: { guide: Guide }): ReactNode {
  return (
    <>
      <Steps>{guide.steps}</Steps>
      {guide.remark !== undefined && <Hint className={styles["remark"]}>{guide.remark}</Hint>}
    </>
  );
}
