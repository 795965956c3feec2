import { useEffect, useEffectEvent } from "react";

import type { DataOf } from "#contract/event.ts";
import { describeChange, gameServersUpdated } from "#contract/game-servers.ts";
import { flashPicture } from "#web/platform/flash-picture.tsx";
import { showFlash } from "#web/platform/flash.tsx";
import { notify } from "#web/platform/notifications.ts";
import { subscribe } from "#web/platform/realtime.ts";
import { useGroup, usePermission, useSession } from "#web/platform/session.ts";
import { describeFailedStart, refetchServer, reloadServers } from "./queries.ts";

/** Shows on every page what others did to the game servers; mounted for members who may see them. */
export function useGameServersLive(): void {
  const { user } = useSession();
  const { group_name } = useGroup();
  const isAdmin = usePermission("admin");

  const onEvent = useEffectEvent((event: DataOf<typeof gameServersUpdated>) => {
    const { userId, userName, serverId, message, avatarId, is_failure } = event;
    void refetchServer(serverId);
    if (userId === user?.id || message === "") return;
    const text = describeChange(userName, message);
    const picture = userName !== null && { picture: flashPicture(avatarId, userName) };
    const show = (shown: string): void => showFlash({ type: is_failure ? "error" : "info", text: shown, ...picture });
    if (isAdmin && is_failure) void describeFailedStart(serverId, text).then(show);
    else show(text);
    void notify({ title: `${group_name} Game-Servers`, body: text, tag: "game-servers" });
  });

  useEffect(() => subscribe(gameServersUpdated, { onEvent, onSubscribed: () => void reloadServers() }), []);
}
