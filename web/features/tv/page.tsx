import { lazy, Suspense, useEffect, useState, type ReactNode } from "react";

import { useKiosk } from "#web/pwa/kiosk.ts";
import { activateNewVersion, useIsNewVersionReady } from "#web/pwa/service-worker.ts";
import { Footer } from "#web/shell/footer.tsx";
import { useNow } from "#web/ui/use-now.ts";
import { useTvToken } from "./actions.ts";
import { Announcements } from "./components/announcements.tsx";
import { Board } from "./components/board.tsx";
import { ConnectionNotice } from "./components/connection-notice.tsx";
import { FullScreenMessage } from "./components/full-screen-message.tsx";
import { QuietClock } from "./components/quiet-clock.tsx";
import styles from "./page.module.css";
import { TokenContext, useTvScreen } from "./queries.ts";
import { isQuiet } from "./rules.ts";

/** Loaded lazily, because connected TVs do not need it. */
const Pairing = lazy(async () => ({ default: (await import("./components/pairing.tsx")).Pairing }));

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
  const { token, setToken } = useTvToken();
  const [isRevoked, setRevoked] = useState(false);
  const isNewVersionReady = useIsNewVersionReady();
  useEffect(() => {
    if (isNewVersionReady) activateNewVersion();
  }, [isNewVersionReady]);
  if (token === null) {
    return (
      <Suspense fallback={<FullScreenMessage title="Einen Moment …" />}>
        <Pairing isRevoked={isRevoked} onPaired={setToken} />
      </Suspense>
    );
  }
  const revoke = (): void => {
    setRevoked(true);
    setToken(null);
  };
  return (
    <TokenContext value={token}>
      <Television key={token} token={token} onRevoked={revoke} />
    </TokenContext>
  );
}

/** Number of consecutive failed requests after which the page reports a lost connection. */
const failuresUntilDisconnected = 2;

/**
 * Milliseconds between updates of the displayed times, short enough for labels such as "vor 2 Min."
 */
const tickMs = 10_000;

function Television({ token, onRevoked }: { token: string; onRevoked: () => void }): ReactNode {
  const { screen, clockOffset, answeredAt, failures, isRevoked } = useTvScreen(token);
  const now = useNow(tickMs) + clockOffset;
  const [openedAt] = useState(() => Date.now());
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
      {isQuiet(screen, openedAt + clockOffset, now) ? (
        <QuietClock screen={screen} now={now} />
      ) : (
        <Board screen={screen} now={now} />
      )}
      {/* These messages are outside of the board and the clock, whose slow movement could shift
          them off the screen. */}
      <ConnectionNotice disconnectedSince={isCutOff ? answeredAt : null} />
      <Announcements screen={screen} ahead={clockOffset} />
    </>
  );
}
