import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import * as contract from "#contract/game-servers.ts";
import { ApiError, call, somethingFailed } from "#web/data/api.ts";
import { queryClient, reload } from "#web/data/query-client.ts";
import { useAction, type Action } from "#web/forms/use-action.ts";
import { showFlash } from "#web/shell/flash.tsx";
import { mergeServerList, mergeServer, type ServerSnapshot } from "./list-rules.ts";

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

/**
 * Returns an action that starts (1) or stops (2) a game server. The action is pending until the
 * game server's new state has been refetched.
 */
export function useSwitchServer(id: number): Action<[state: 1 | 2]> {
  return useServerAction(id, (state) => call(contract.switchGameServer, { params: { id }, body: { state } }));
}

/**
 * Returns an action that restarts the countdown after which a game server without players is
 * stopped.
 */
export function useKeepRunning(id: number): Action<[]> {
  return useServerAction(id, () => call(contract.keepGameServerRunning, { params: { id } }));
}

/**
 * Returns an action that calls `change` and shows the reply's message. Refetches the game server
 * even if `change` fails.
 */
function useServerAction<Args extends unknown[]>(
  id: number,
  change: (...args: Args) => Promise<{ message: string }>,
): Action<Args> {
  const errorText = (error: unknown): string => (error instanceof ApiError ? error.message : somethingFailed);
  async function changeAndRefetch(...args: Args): Promise<void> {
    try {
      const { message } = await change(...args);
      showFlash({ type: "success", text: message });
    } catch (error) {
      void refetchServer(id);
      throw error;
    }
    await refetchServer(id);
  }
  return useAction(changeAndRefetch, { errorText });
}

/**
 * Refetches one game server if the list is on the screen. Otherwise the game server page fetches it
 * when opened.
 */
export async function refetchServer(id: number): Promise<void> {
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

/**
 * Returns why a game server failed to start; for administrators, this includes the last line of the
 * program's output. Returns `message`, the event's text, if the failure cannot be loaded.
 */
export async function describeFailedStart(id: number, failedAt: string, message: string): Promise<string> {
  try {
    const { start_failure } = await call(contract.getGameServer, { params: { id } });
    return start_failure?.at === failedAt ? contract.describeFailure(start_failure) : message;
  } catch {
    return message;
  }
}

export async function reloadServers(): Promise<void> {
  await reload(serversKey);
}

function getCachedServers(): readonly ServerSnapshot[] | undefined {
  return queryClient.getQueryData<ServerSnapshot[]>(serversKey);
}

function toServers(seen: readonly ServerSnapshot[]): contract.GameServer[] {
  return seen.map(({ server }) => server);
}

let requestCount = 0;

/** Returns increasing request numbers, because replies can arrive out of order. */
function nextRequestNumber(): number {
  requestCount += 1;
  return requestCount;
}
