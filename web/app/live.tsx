import { useEffect, type ReactNode } from "react";

import { isWaiting } from "#web/client/outbox-rules.ts";
import { reload } from "#web/client/queries.ts";
import { PasswordConfirm } from "#web/features/accounts/password-confirm.tsx";
import { useBeersLive } from "#web/features/beers/live.ts";
import { Milestones } from "#web/features/beers/milestones.tsx";
import { useOwnDoorsLive } from "#web/features/calendar/api.ts";
import { DrawnDoors } from "#web/features/calendar/drawn-doors.tsx";
import { useGameServersLive } from "#web/features/game-servers/api.ts";
import { News } from "#web/features/group/news.tsx";
import { usePartiesLive } from "#web/features/parties/api.ts";
import { PhotoTaker } from "#web/features/parties/photo-taker.tsx";
import { Stories } from "#web/features/parties/stories.tsx";
import { Confirms } from "#web/page/confirm.tsx";
import { usePush } from "#web/page/push.ts";
import { useClient, useGroup, usePermission, useStore } from "#web/page/session.ts";
import { formatDate } from "#web/ui/german.ts";

export function Live(): ReactNode {
  useNewDay();
  useAppBadge();
  usePush();
  useBeersLive();
  usePartiesLive();
  useOwnDoorsLive();
  const client = useClient();
  useEffect(() => client.connect(), [client]);
  return (
    <>
      {usePermission("see-game-servers") && <GameServersLive />}
      <Milestones />
      <DrawnDoors />
      <News />
      <Stories />
      <PhotoTaker />
      <PasswordConfirm />
      <Confirms />
    </>
  );
}

function GameServersLive(): null {
  useGameServersLive();
  return null;
}

/** Weeks and calendar doors depend on the date. */
function useNewDay(): void {
  const { time_zone: timeZone } = useGroup();
  const { queries } = useClient();
  useEffect(() => {
    const dayOf = (at: number): string => formatDate(at, "shortDate", timeZone);
    // The first formatting of a date is slow on phones and would delay the page.
    let seenAt = Date.now();
    const timer = setInterval(() => {
      const now = Date.now();
      if (dayOf(now) !== dayOf(seenAt)) void reload(queries, []);
      seenAt = now;
    }, 60_000);
    return () => clearInterval(timer);
  }, [timeZone, queries]);
}

function useAppBadge(): void {
  const { outbox } = useClient();
  const count = useStore(outbox.entries).filter(isWaiting).length;
  useEffect(() => {
    // Missing despite its type in browsers that cannot install apps; rejected if the app is not installed.
    if ("setAppBadge" in navigator) navigator.setAppBadge(count).catch(() => undefined);
  }, [count]);
  useEffect(
    () => () => {
      if ("setAppBadge" in navigator) navigator.clearAppBadge().catch(() => undefined);
    },
    [],
  );
}
