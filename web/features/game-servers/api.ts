import { useMutation, type UseMutationResult, type UseQueryResult } from "@tanstack/react-query";

import * as contract from "#contract/game-servers.ts";
import { call } from "#web/client/api.ts";
import { keyOf } from "#web/client/queries.ts";
import { showMessage } from "#web/page/messages.tsx";
import { notify } from "#web/page/notifications.ts";
import { useEvent, useLiveReply, useReload } from "#web/page/queries.ts";
import { useClient, useGroup, useMember, usePermission } from "#web/page/session.ts";

export function useGameServers(): UseQueryResult<contract.GameServer[]> {
  return useLiveReply(contract.getGameServers, contract.gameServersUpdated);
}

/** Starts with 1, stops with 2. */
export function useSwitchServer(id: number): UseMutationResult<string, Error, 1 | 2> {
  return useServerChange((state) => call(contract.switchGameServer, { params: { id }, body: { state } }));
}

/** Restarts the countdown to the stop without players. */
export function useKeepRunning(id: number): UseMutationResult<string, Error, void> {
  return useServerChange(() => call(contract.keepGameServerRunning, { params: { id } }));
}

/** Stays pending until the refetch, even if `change` fails. */
function useServerChange<Variables>(
  change: (variables: Variables) => Promise<{ message: string }>,
): UseMutationResult<string, Error, Variables> {
  const reloadServers = useReload(keyOf(contract.getGameServers));
  return useMutation({
    mutationFn: async (variables: Variables) => (await change(variables)).message,
    onSettled: reloadServers,
  });
}

/** Runs on every page. */
export function useGameServersLive(): void {
  const { checkSession } = useClient();
  const user = useMember();
  const { group_name } = useGroup();
  const isAdmin = usePermission("admin");
  useEvent(contract.gameServersUpdated, (event) => {
    const { userId, userName, serverId, message, avatarId, is_failure, failed_start_at } = event;
    // The list has changed, maybe from or to an empty one.
    if (serverId === 0) void checkSession();
    if (userId === user?.id || message === "") return;
    const text = contract.describeChange(userName, message);
    const picture = userName !== null && { member: { avatarId, name: userName } };
    const show = (shown: string): void => showMessage({ type: is_failure ? "error" : "info", text: shown, ...picture });
    if (isAdmin && failed_start_at !== null) void describeFailedStart(serverId, failed_start_at, text).then(show);
    else show(text);
    void notify({ title: `${group_name} Game-Servers`, body: text, tag: "game-servers" });
  });
}

/** Adds the program's last line for administrators; returns `message` if the failure cannot be loaded. */
async function describeFailedStart(id: number, failedAt: string, message: string): Promise<string> {
  try {
    const { start_failure } = await call(contract.getGameServer, { params: { id } });
    return start_failure?.at === failedAt ? contract.describeFailure(start_failure) : message;
  } catch {
    return message;
  }
}
