import { useEffect, type CSSProperties, type ReactNode } from "react";

import type { TvScope } from "#contract/tv.ts";
import { describeLocalAddress } from "#web/page/share-link.tsx";
import { useWindowSize } from "#web/page/window-size.ts";
import { BeerMat } from "#web/ui/beer-mat.tsx";
import { Logo } from "#web/ui/icons.tsx";
import { QrCode } from "#web/ui/qr-code.tsx";
import { useNow } from "#web/ui/use-now.ts";
import { useTvPairing, type ShownCode } from "./api.ts";
import styles from "./pairing.module.css";
import { computeScale } from "./rules.ts";

interface PairingProps {
  /** The page; the member who enters the code chooses what the device becomes. */
  readonly scope: TvScope;
  /** This device was connected before, but its TV link was revoked. */
  readonly isRevoked: boolean;
  readonly onPaired: (token: string, scope: TvScope) => void;
}

/** The code's secret becomes the device's token. */
export function Pairing({ scope, isRevoked, onPaired }: PairingProps): ReactNode {
  const { code, paired, problem } = useTvPairing();
  useEffect(() => {
    if (paired) onPaired(paired.token, paired.scope);
  }, [paired, onPaired]);
  if (code === null) return <FullScreenMessage title="Einen Moment …">{problem}</FullScreenMessage>;
  return <CodeScreen code={code} scope={scope} isRevoked={isRevoked} problem={problem} />;
}

interface CodeScreenProps extends Pick<PairingProps, "scope" | "isRevoked"> {
  readonly code: ShownCode;
  readonly problem: string | undefined;
}

const words = {
  tv: { connect: "Diesen Fernseher verbinden", ended: "Dieser Fernseher ist abgemeldet", who: "Wer dabei ist" },
  tablet: {
    connect: "Diese Zapfstelle verbinden",
    ended: "Diese Zapfstelle ist getrennt",
    who: "Wer die Verwaltung hat",
  },
} as const;

function CodeScreen({ code, scope, isRevoked, problem }: CodeScreenProps): ReactNode {
  const { connect, ended, who } = words[scope];
  const { availableWidth, availableHeight } = useWindowSize();
  const { isWide, em } = computeScale(availableWidth, availableHeight);
  const address = new URL("/pair", location.href);
  address.hash = `code=${code.code}${scope === "tablet" ? "&as=tablet" : ""}`;
  const warning = describeLocalAddress(address.href);
  return (
    <main className={styles["screen"]} data-wide={isWide || undefined} style={{ fontSize: em }}>
      <div className={styles["sign"]}>
        <div className={styles["words"]}>
          <Logo size={Math.round(7 * em)} />
          <h1>{isRevoked ? ended : connect}</h1>
          <p>
            {who}, scannt das Bild mit dem Handy – oder öffnet{" "}
            <strong className={styles["way"]}>{`${address.host}/pair`}</strong> und gibt dort diesen Code ein:
          </p>
          <p className={styles["code"]} data-tv-code aria-label={`Code ${[...code.code].join(" ")}`}>
            <span>{code.code.slice(0, 3)}</span>
            <span>{code.code.slice(3)}</span>
          </p>
          <p role="status">{problem ?? "Danach geht es hier von selbst los."}</p>
          {warning !== null && <p>{warning}</p>}
        </div>
        <div className={styles["scan"]}>
          <BeerMat shape="round">
            <div className={styles["picture"]}>
              <QrCode
                text={address.href}
                label={`${scope === "tv" ? "Fernseher" : "Zapfstelle"} verbinden als QR-Code`}
              />
            </div>
          </BeerMat>
          <RemainingTime code={code} />
        </div>
      </div>
    </main>
  );
}

/** Shrinks until a new code replaces the expired one. */
function RemainingTime({ code: { madeAt, expiresAt } }: { code: ShownCode }): ReactNode {
  const now = useNow(1000);
  const left = Math.min(1, Math.max(0, (expiresAt - now) / (expiresAt - madeAt)));
  const look: CSSProperties = { strokeDashoffset: 1 - left };
  return (
    <svg className={styles["ring"]} viewBox="-100 -100 200 200" aria-hidden="true">
      <circle className={styles["track"]} r="96" />
      <circle className={styles["left"]} r="96" pathLength="1" style={look} transform="rotate(-90)" />
    </svg>
  );
}

export function FullScreenMessage({ title, children }: { title: string; children?: ReactNode }): ReactNode {
  return (
    <main className={styles["message"]}>
      <Logo size={160} />
      <h1 className={styles["title"]}>{title}</h1>
      <p className={styles["text"]} role="status">
        {children}
      </p>
    </main>
  );
}
