import { useEffect, useEffectEvent } from "react";

import type { DataOf } from "#contract/event.ts";
import { partyStarted } from "#contract/party-events.ts";
import { flashPicture } from "#web/platform/flash-picture.tsx";
import { showFlash } from "#web/platform/flash.tsx";
import { navigate } from "#web/platform/location.ts";
import { subscribe } from "#web/platform/realtime.ts";
import { useSession } from "#web/platform/session.ts";

/** Says on every page that somebody starts a party. Pages that show parties follow the counter (queries.ts). */
export function usePartyLive(): void {
  const { user } = useSession();
  const onEvent = useEffectEvent(({ id, name, userId, userName, avatarId }: DataOf<typeof partyStarted>) => {
    if (userId === user?.id || user?.is_paused) return;
    showFlash({
      type: "info",
      ...(userName === null
        ? { text: `Die Party „${name}“ beginnt.` }
        : { text: `${userName} startet die Party „${name}“.`, picture: flashPicture(avatarId, userName) }),
      action: { label: "Ansehen", run: () => navigate(`/party?id=${id}`) },
    });
  });
  useEffect(() => subscribe(partyStarted, { onEvent, onSubscribed() {} }), []);
}
