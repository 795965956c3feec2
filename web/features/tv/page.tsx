import { useEffect, useState, type ReactNode } from "react";

import { useKiosk } from "#web/platform/kiosk.ts";
import { takeNewVersion, useIsNewVersionReady } from "#web/platform/service-worker.ts";

import { useLinkToken } from "./actions.ts";
import { Board } from "./components/board.tsx";
import { Moments } from "./components/moments.tsx";
import { NoLink } from "./components/no-link.tsx";
import { Sign } from "./components/sign.tsx";
import { TokenContext, useSight } from "./queries.ts";

export function TvPage(): ReactNode {
  const { token, forget } = useLinkToken();
  const [isRevoked, setRevoked] = useState(false);
  const isNewVersionReady = useIsNewVersionReady();
  useKiosk();
  useEffect(() => {
    if (isNewVersionReady) takeNewVersion();
  }, [isNewVersionReady]);
  if (token === null) return <NoLink isRevoked={isRevoked} />;
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

/** From so many failures in a row on it is said that nobody answers. */
const worthAWord = 2;

function Television({ token, onRevoked }: { token: string; onRevoked: () => void }): ReactNode {
  const { screen, ahead, answeredAt, failures, isRevoked } = useSight(token);
  useEffect(() => {
    if (isRevoked) onRevoked();
  }, [isRevoked, onRevoked]);
  const isCutOff = failures >= worthAWord;
  if (screen === null) {
    return <Sign title="Einen Moment …">{isCutOff && "Keine Verbindung. Sobald es geht, geht es weiter."}</Sign>;
  }
  return (
    <>
      <Board screen={screen} ahead={ahead} cutOffSince={isCutOff ? answeredAt : null} />
      <Moments screen={screen} ahead={ahead} />
    </>
  );
}
