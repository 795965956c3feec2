import { useEffect, useEffectEvent } from "react";
import * as z from "zod/mini";

import type { DataOf } from "#contract/event.ts";
import { partyStarted } from "#contract/party-events.ts";
import { flashPicture } from "#web/platform/flash-picture.tsx";
import { showFlash } from "#web/platform/flash.tsx";
import { findJoinableParty, useJoinParty } from "#web/platform/parties/queries.ts";
import { partyPath } from "#web/platform/parties/rules.ts";
import { subscribe } from "#web/platform/realtime.ts";
import { useSession } from "#web/platform/session.ts";
import { useAction } from "#web/platform/use-action.ts";
import { getUserItem } from "#web/platform/user-storage.ts";
import { guestTapsItem } from "./rules.ts";

/** Sends the beers of guests that wait since an earlier visit, on every page. */
export function useWaitingGuestTaps(): void {
  const memberId = useSession().user?.id;
  useEffect(() => {
    if (memberId === undefined || getUserItem(guestTapsItem, z.literal(true)) === null) return;
    void import("./components/guest-taps.ts").then(({ activateGuestTaps }) => activateGuestTaps(memberId));
  }, [memberId]);
}

/** Announces on every page that a party starts, with one tap to join it. Pages that show parties follow the counter (queries.ts). */
export function usePartyLive(): void {
  const { user } = useSession();
  const join = useJoinParty();
  const { run: joinById } = useAction(async (id: number) => join(await findJoinableParty(id)));
  const onEvent = useEffectEvent(({ id, name, userId, userName, avatarId }: DataOf<typeof partyStarted>) => {
    if (userId === user?.id || user?.is_paused) return;
    showFlash({
      type: "info",
      ...(userName === null
        ? { text: `Die Party „${name}“ beginnt.` }
        : { text: `${userName} startet die Party „${name}“.`, picture: flashPicture(avatarId, userName) }),
      link: partyPath(id),
      action: { label: "Dabei sein", run: () => void joinById(id) },
    });
  });
  useEffect(() => subscribe(partyStarted, { onEvent, onSubscribed() {} }), []);
}
