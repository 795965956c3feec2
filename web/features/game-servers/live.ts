import { useEffect, useEffectEvent } from "react";

import type { DataOf } from "#contract/event.ts";
import { describeChange, gameServersUpdated } from "#contract/game-servers.ts";
import { subscribe } from "#web/data/realtime.ts";
import { notify } from "#web/pwa/notifications.ts";
import { useGroup, usePermission, useSession } from "#web/session/session.ts";
import { flashPicture } from "#web/shell/flash-picture.tsx";
import { showFlash } from "#web/shell/flash.tsx";
import { describeFailedStart, refetchServer, reloadServers } from "./queries.ts";

/**
 * Shows on every page that another member started or stopped a game server. Mounted for members who
 * may see game servers.
 */
export function useGameServersLive(): void {
  const { user } = useSession();
  const { group_name } = useGroup();
  const isAdmin = usePermission("admin");

  const onEvent = useEffectEvent((event: DataOf<typeof gameServersUpdated>) => {
    const { userId, userName, serverId, message, avatarId, is_failure, failed_start_at } = event;
    void refetchServer(serverId);
    if (userId === user?.id || message === "") return;
    const text = describeChange(userName, message);
    const picture = userName !== null && { picture: flashPicture(avatarId, userName) };
    const show = (shown: string): void => showFlash({ type: is_failure ? "error" : "info", text: shown, ...picture });
    if (isAdmin && failed_start_at !== null) void describeFailedStart(serverId, failed_start_at, text).then(show);
    else show(text);
    void notify({ title: `${group_name} Game-Servers`, body: text, tag: "game-servers" });
  });

  useEffect(() => subscribe(gameServersUpdated, { onEvent, onSubscribed: () => void reloadServers() }), []);
}
