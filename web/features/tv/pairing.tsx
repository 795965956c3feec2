import { useEffect, type CSSProperties, type ReactNode } from "react";

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
  /** This TV was connected before, but its TV link was revoked. */
  readonly isRevoked: boolean;
  readonly onPaired: (token: string) => void;
}

/** The code's secret becomes the TV's token. */
export function Pairing({ isRevoked, onPaired }: PairingProps): ReactNode {
  const { code, token, problem } = useTvPairing();
  useEffect(() => {
    if (token !== undefined) onPaired(token);
  }, [token, onPaired]);
  if (code === null) return <FullScreenMessage title="Einen Moment …">{problem}</FullScreenMessage>;
  return <CodeScreen code={code} isRevoked={isRevoked} problem={problem} />;
}

interface CodeScreenProps {
  readonly code: ShownCode;
  readonly isRevoked: boolean;
  readonly problem: string | undefined;
}

function CodeScreen({ code, isRevoked, problem }: CodeScreenProps): ReactNode {
  const { availableWidth, availableHeight } = useWindowSize();
  const { isWide, em } = computeScale(availableWidth, availableHeight);
  const address = new URL("/admin/tv", location.href);
  address.hash = `code=${code.code}`;
  const warning = describeLocalAddress(address.href);
  return (
    <main className={styles["screen"]} data-wide={isWide || undefined} style={{ fontSize: em }}>
      <div className={styles["sign"]}>
        <div className={styles["words"]}>
          <Logo size={Math.round(7 * em)} />
          <h1>{isRevoked ? "Dieser Fernseher ist abgemeldet" : "Diesen Fernseher verbinden"}</h1>
          <p>
            Wer die Verwaltung hat, scannt das Bild mit dem Handy – oder öffnet{" "}
            <strong className={styles["way"]}>Verwaltung › Fernseher</strong> und gibt dort diesen Code ein:
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
              <QrCode text={address.href} label="Fernseher verbinden als QR-Code" />
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
