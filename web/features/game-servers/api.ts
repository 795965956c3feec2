import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";

import type { DataOf } from "#contract/event.ts";
import * as contract from "#contract/game-servers.ts";
import { ApiError, call, somethingFailed } from "#web/client/api.ts";
import { subscribe } from "#web/client/realtime.ts";
import { queryClient, reload } from "#web/data/query-client.ts";
import { useAction, type Action } from "#web/forms/use-action.ts";
import { showMessage } from "#web/page/messages.tsx";
import { notify } from "#web/page/notifications.ts";
import { useGroup, usePermission, useMember } from "#web/page/session.ts";
import { mergeServer, mergeServerList, type ServerSnapshot } from "./rules.ts";

const serversKey = ["game-servers"];

export function useGameServers(): UseQueryResult<contract.GameServer[]> {
  return useQuery(
    {
      queryKey: serversKey,
      queryFn: async ({ signal }) => {
        const askedAt = nextRequestNumber();
        const servers = await call(contract.getGameServers, { signal });
        return mergeServerList(getCachedServers(), servers, askedAt);
      },
      select: toServers,
    },
    queryClient,
  );
}

/** Starts (1) or stops (2) a game server; pending until its new state has been refetched. */
export function useSwitchServer(id: number): Action<[state: 1 | 2]> {
  return useServerAction(id, (state) => call(contract.switchGameServer, { params: { id }, body: { state } }));
}

/** Restarts the countdown after which a game server without players is stopped. */
export function useKeepRunning(id: number): Action<[]> {
  return useServerAction(id, () => call(contract.keepGameServerRunning, { params: { id } }));
}

/** Shows the reply's message, and refetches the game server even if `change` fails. */
function useServerAction<Args extends unknown[]>(
  id: number,
  change: (...args: Args) => Promise<{ message: string }>,
): Action<Args> {
  const errorText = (error: unknown): string => (error instanceof ApiError ? error.message : somethingFailed);
  async function changeAndRefetch(...args: Args): Promise<void> {
    try {
      const { message } = await change(...args);
      showMessage({ type: "success", text: message });
    } catch (error) {
      void refetchServer(id);
      throw error;
    }
    await refetchServer(id);
  }
  return useAction(changeAndRefetch, { errorText });
}

/** Refetches only while the list is on the screen, because an opened page fetches it anyway. */
async function refetchServer(id: number): Promise<void> {
  if (queryClient.getQueryCache().find({ queryKey: serversKey })?.isActive() !== true) return;
  const isListed = getCachedServers()?.some(({ server }) => server.id === id);
  if (isListed !== true) return reloadServers();
  const askedAt = nextRequestNumber();
  try {
    const server = await call(contract.getGameServer, { params: { id } });
    queryClient.setQueryData<ServerSnapshot[]>(serversKey, (known) => known && mergeServer(known, server, askedAt));
  } catch {
    // The game server was removed or the request failed: reloading the list shows which.
    await reloadServers();
  }
}

/** Includes the last line of the program's output for administrators; `message` if the failure cannot be loaded. */
async function describeFailedStart(id: number, failedAt: string, message: string): Promise<string> {
  try {
    const { start_failure } = await call(contract.getGameServer, { params: { id } });
    return start_failure?.at === failedAt ? contract.describeFailure(start_failure) : message;
  } catch {
    return message;
  }
}

async function reloadServers(): Promise<void> {
  await reload(serversKey);
}

function getCachedServers(): readonly ServerSnapshot[] | undefined {
  return queryClient.getQueryData<ServerSnapshot[]>(serversKey);
}

function toServers(seen: readonly ServerSnapshot[]): contract.GameServer[] {
  return seen.map(({ server }) => server);
}

let requestCount = 0;

/** Replies can arrive out of order. */
function nextRequestNumber(): number {
  requestCount += 1;
  return requestCount;
}

/** Shows on every page that another member started or stopped a game server. */
export function useGameServersLive(): void {
  const user = useMember();
  const { group_name } = useGroup();
  const isAdmin = usePermission("admin");

  const onEvent = useEffectEvent((event: DataOf<typeof contract.gameServersUpdated>) => {
    const { userId, userName, serverId, message, avatarId, is_failure, failed_start_at } = event;
    void refetchServer(serverId);
    if (userId === user?.id || message === "") return;
    const text = contract.describeChange(userName, message);
    const picture = userName !== null && { member: { avatarId, name: userName } };
    const show = (shown: string): void => showMessage({ type: is_failure ? "error" : "info", text: shown, ...picture });
    if (isAdmin && failed_start_at !== null) void describeFailedStart(serverId, failed_start_at, text).then(show);
    else show(text);
    void notify({ title: `${group_name} Game-Servers`, body: text, tag: "game-servers" });
  });

  useEffect(() => subscribe(contract.gameServersUpdated, { onEvent, onSubscribed: () => void reloadServers() }), []);
}
