import { useMutation, useQuery, type UseMutationResult, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";

import type { DataOf } from "#contract/event.ts";
import {
  gameServersUpdated,
  getGameServer,
  getGameServers,
  keepGameServerRunning,
  switchGameServer,
  type GameServer,
} from "#contract/game-servers.ts";
import { ApiError, call } from "#web/platform/api.ts";
import { showFlash } from "#web/platform/flash.tsx";
import { notify } from "#web/platform/notifications.ts";
import { queryClient } from "#web/platform/query-client.ts";
import { subscribe } from "#web/platform/realtime.ts";
import { useGroup, useSession } from "#web/platform/session.ts";

import { mergeServerList, mergeServer, type ServerSnapshot } from "./rules.ts";

const serversKey = ["game-servers"];

export function useGameServers(): UseQueryResult<GameServer[]> {
  return useQuery({
    queryKey: serversKey,
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const askedAt = nextRequestNumber();
      return mergeServerList(getCachedServers(), await call(getGameServers, { signal }), askedAt);
    },
    select: toServers,
  });
}

/** Starts (1) or stops (2) a server; over once its state has been looked at again. */
export function useSwitchServer(id: number): UseMutationResult<string, Error, 1 | 2> {
  return useServerAction(id, async (state) => {
    const { message } = await call(switchGameServer, { params: { id }, body: { state } });
    return message;
  });
}

/** Lets an empty server wait anew before it stops by itself. */
export function useKeepRunning(id: number): UseMutationResult<string, Error, void> {
  return useServerAction(id, async () => {
    const { message } = await call(keepGameServerRunning, { params: { id } });
    return message;
  });
}

/** Tells what others did to the game servers, on every page; mounted for members who may see them. */
export function useGameServersLive(): void {
  const { user } = useSession();
  const { group_name } = useGroup();

  const onEvent = useEffectEvent(({ userId, serverId, message, avatarId }: DataOf<typeof gameServersUpdated>) => {
    void refetchServer(serverId);
    if (userId === user?.id || message === "") return;
    showFlash({ type: "info", text: message, ...(userId !== null && { avatarId }) });
    void notify({ title: `${group_name} Game-Servers`, body: message, tag: "game-servers" });
  });

  useEffect(() => subscribe(gameServersUpdated, { onEvent, onSubscribed: () => void reloadServers() }), []);
}

/** Does something to a server, says how it went, and looks at the server again either way. */
function useServerAction<Wish>(
  id: number,
  act: (wish: Wish) => Promise<string>,
): UseMutationResult<string, Error, Wish> {
  return useMutation({
    mutationFn: act,
    onSuccess: (text) => showFlash({ type: "success", text }),
    onError: (error) =>
      showFlash({ type: "error", text: error instanceof ApiError ? error.message : unknownErrorText }),
    onSettled: () => refetchServer(id),
  });
}

const unknownErrorText = "Es ist ein Fehler aufgetreten.";

/** Fetches the state of one server, if the list is on the screen; what is not, is fetched when it is opened. */
async function refetchServer(id: number): Promise<void> {
  if (queryClient.getQueryCache().find({ queryKey: serversKey })?.isActive() !== true) return;
  const isListed = getCachedServers()?.some(({ server }) => server.id === id);
  if (isListed !== true) return reloadServers();
  const askedAt = nextRequestNumber();
  try {
    const server = await call(getGameServer, { params: { id } });
    queryClient.setQueryData<ServerSnapshot[]>(serversKey, (known) => known && mergeServer(known, server, askedAt));
  } catch {
    // It was taken away, or nobody answers: the list tries again and says which.
    await reloadServers();
  }
}

/** A list that is under way already may have been answered before what it is asked for now. */
async function reloadServers(): Promise<void> {
  await queryClient.cancelQueries({ queryKey: serversKey });
  await queryClient.invalidateQueries({ queryKey: serversKey });
}

function getCachedServers(): readonly ServerSnapshot[] | undefined {
  return queryClient.getQueryData<ServerSnapshot[]>(serversKey);
}

function toServers(seen: readonly ServerSnapshot[]): GameServer[] {
  return seen.map(({ server }) => server);
}

let requestCount = 0;

/** Questions are numbered, since answers overtake each other. */
function nextRequestNumber(): number {
  requestCount += 1;
  return requestCount;
}
