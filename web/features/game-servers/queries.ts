import { useEffect, useEffectEvent } from "react";

import type { DataOf } from "#contract/event.ts";
import { gameServersUpdated } from "#contract/game-servers.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { notify } from "#web/platform/notifications.ts";
import { subscribe } from "#web/platform/realtime.ts";
import { useGroup, useSession } from "#web/platform/session.ts";

/** Tells what others did to the game servers, on every page; mounted for members who may see them. */
export function useGameServersLive(): void {
  const { user } = useSession();
  const { group_name } = useGroup();

  const onEvent = useEffectEvent(({ userId, message, avatarId }: DataOf<typeof gameServersUpdated>) => {
    if (userId === user?.id) return;
    showFlash({ type: "info", text: message, ...(userId !== null && { avatarId }) });
    void notify({ title: `${group_name} Game-Servers`, body: message, tag: "game-servers" });
  });

  useEffect(() => subscribe(gameServersUpdated, { onEvent, onSubscribed: () => {} }), []);
}
