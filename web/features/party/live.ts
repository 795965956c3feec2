import { useEffect, useEffectEvent } from "react";
import * as z from "zod/mini";

import type { DataOf } from "#contract/event.ts";
import { partyStarted } from "#contract/party-events.ts";
import { subscribe } from "#web/data/realtime.ts";
import { useAction } from "#web/forms/use-action.ts";
import { useSession } from "#web/session/session.ts";
import { getUserItem } from "#web/session/user-storage.ts";
import { findJoinableParty, useJoinParty } from "#web/shared/parties/queries.ts";
import { partyPath, partyTopic } from "#web/shared/parties/rules.ts";
import { flashPicture } from "#web/shell/flash-picture.tsx";
import { showFlash } from "#web/shell/flash.tsx";
import { guestTapsItem } from "./rules.ts";

/** Sends guest taps that are still waiting from an earlier visit. Runs on every page. */
export function useWaitingGuestTaps(): void {
  const memberId = useSession().user?.id;
  useEffect(() => {
    if (memberId === undefined || getUserItem(guestTapsItem, z.literal(true)) === null) return;
    void import("./components/guest-taps.ts").then(({ activateGuestTaps }) => activateGuestTaps(memberId));
  }, [memberId]);
}

/** Announces on every page that another member has started a party, with a button to join it. */
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
      topic: partyTopic(id),
      action: { label: "Dabei sein", run: () => void joinById(id) },
    });
  });
  useEffect(() => subscribe(partyStarted, { onEvent, onSubscribed() {} }), []);
}
