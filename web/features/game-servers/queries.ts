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

/** Starts (1) or stops (2) a server; pending until its new state has been fetched. */
export function useSwitchServer(id: number): Action<[state: 1 | 2]> {
  return useServerAction(id, (state) => call(contract.switchGameServer, { params: { id }, body: { state } }));
}

/** Restarts the waiting time before an empty server stops. */
export function useKeepRunning(id: number): Action<[]> {
  return useServerAction(id, () => call(contract.keepGameServerRunning, { params: { id } }));
}

/** Shows the server's message, and refetches the state in any case. */
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

/** Refetches one server if the list is mounted; otherwise opening the page fetches it. */
export async function refetchServer(id: number): Promise<void> {
  if (queryClient.getQueryCache().find({ queryKey: serversKey })?.isActive() !== true) return;
  const isListed = getCachedServers()?.some(({ server }) => server.id === id);
  if (isListed !== true) return reloadServers();
  const askedAt = nextRequestNumber();
  try {
    const server = await call(contract.getGameServer, { params: { id } });
    queryClient.setQueryData<ServerSnapshot[]>(serversKey, (known) => known && mergeServer(known, server, askedAt));
  } catch {
    // It was removed, or the request failed: the list retries and shows which.
    await reloadServers();
  }
}

/** Appends the program's last line to the message of an event, which only administrators may read. */
export async function describeFailedStart(id: number, failedAt: number, message: string): Promise<string> {
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

/** Returns increasing numbers, since responses can arrive out of order. */
function nextRequestNumber(): number {
  requestCount += 1;
  return requestCount;
}
