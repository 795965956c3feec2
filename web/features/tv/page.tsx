import { useEffect, useState, type ReactNode } from "react";

import { useKiosk } from "#web/platform/kiosk.ts";
import { activateNewVersion, useIsNewVersionReady } from "#web/platform/service-worker.ts";
import { Footer } from "#web/platform/shell/footer.tsx";
import { useTvToken } from "./actions.ts";
import { Announcements } from "./components/announcements.tsx";
import { Board } from "./components/board.tsx";
import { FullScreenMessage } from "./components/full-screen-message.tsx";
import { NoTvLink } from "./components/no-tv-link.tsx";
import styles from "./page.module.css";
import { TokenContext, useTvScreen } from "./queries.ts";

export function TvPage(): ReactNode {
  useKiosk();
  return (
    <div className={styles["page"]}>
      <Screen />
      <div className={styles["print"]}>
        <Footer isInert={false} />
      </div>
    </div>
  );
}

function Screen(): ReactNode {
  const { token, forget } = useTvToken();
  const [isRevoked, setRevoked] = useState(false);
  const isNewVersionReady = useIsNewVersionReady();
  useEffect(() => {
    if (isNewVersionReady) activateNewVersion();
  }, [isNewVersionReady]);
  if (token === null) return <NoTvLink isRevoked={isRevoked} />;
  const revoke = (): void => {
    setRevoked(true);
    forget();
  };
  return (
    <TokenContext value={token}>
      <Television key={token} token={token} onRevoked={revoke} />
    </TokenContext>
  );
}

/** After so many failures in a row the page says that there is no connection. */
const failuresUntilDisconnected = 2;

function Television({ token, onRevoked }: { token: string; onRevoked: () => void }): ReactNode {
  const { screen, clockOffset, answeredAt, failures, isRevoked } = useTvScreen(token);
  useEffect(() => {
    if (isRevoked) onRevoked();
  }, [isRevoked, onRevoked]);
  const isCutOff = failures >= failuresUntilDisconnected;
  if (screen === null) {
    return (
      <FullScreenMessage title="Einen Moment …">
        {isCutOff && "Keine Verbindung. Sobald es geht, geht es weiter."}
      </FullScreenMessage>
    );
  }
  return (
    <>
      <Board screen={screen} clockOffset={clockOffset} disconnectedSince={isCutOff ? answeredAt : null} />
      <Announcements screen={screen} ahead={clockOffset} />
    </>
  );
}
