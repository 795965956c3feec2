import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";

import { beercounterUpdated } from "#contract/beercounter.ts";
import type { DataOf } from "#contract/event.ts";
import { showFlash, useFlash } from "#web/platform/flash.tsx";
import { notify } from "#web/platform/notifications.ts";
import { onReachChange } from "#web/platform/reach.ts";
import { subscribe } from "#web/platform/realtime.ts";
import { useGroup, useSession } from "#web/platform/session.ts";

import { changeTally, reloadCounters, reloadStats, tallyOf } from "./queries.ts";
import { heard, isSaying, shownOf } from "./rules.ts";
import { startSending, stopSending } from "./taps.ts";

/**
 * Everything the counter does while a member is logged in, on every page: follows the others' beers live and brings
 * the member's own taps to the server. Mounted once, by the shell.
 */
export function useBeercounterLive(): void {
  const client = useQueryClient();
  const { group_name } = useGroup();
  const flash = useFlash();
  const memberId = useSession().user?.id;

  const onEvent = useEffectEvent((event: DataOf<typeof beercounterUpdated>) => {
    if (memberId === undefined) return;
    const before = tallyOf(client, memberId);
    const after = before && heard(before, event);
    if (after === null) return;
    changeTally(client, memberId, () => after);
    reloadStats(client);
    if (event.userId !== memberId) {
      const text = `Prost von ${event.userName}!`;
      showFlash({ type: "success", text, avatarId: event.avatarId, name: event.userName });
      void notify({ title: `${group_name} Beercounter`, body: text, tag: "beercounter" });
      return;
    }
    // A beer that was tapped in another window: the event does not say how many of them are one's own.
    if (before && event.counterVal > shownOf(before).KSKCounterVal) reloadCounters(client);
    if (!flash || !isSaying(flash.text)) showFlash({ type: "success", text: "Prost!" });
  });

  useEffect(() => {
    if (memberId === undefined) return;
    const resume = (): void => startSending(client, memberId);
    resume();
    const stopFollowing = onReachChange((isReachable) => isReachable && resume());
    const leave = subscribe(beercounterUpdated, {
      onEvent,
      onSubscribed: () => {
        resume();
        reloadCounters(client);
        reloadStats(client);
      },
    });
    return () => {
      leave();
      stopFollowing();
      stopSending();
    };
  }, [client, memberId]);
}
