import type { GameServer } from "#contract/game-servers.ts";

/** A server, and the number of the request that returned it. */
export interface ServerSnapshot {
  readonly server: GameServer;
  readonly requestNumber: number;
}

/** Merges a fetched list; a server from a later request keeps its state. */
export function mergeServerList(
  known: readonly ServerSnapshot[] | undefined,
  servers: readonly GameServer[],
  askedAt: number,
): ServerSnapshot[] {
  return servers.map((server) =>
    newerSnapshot(
      known?.find((seen) => seen.server.id === server.id),
      { server, requestNumber: askedAt },
    ),
  );
}

/** Replaces one server in the list, unless its state comes from a later request. */
export function mergeServer(known: readonly ServerSnapshot[], server: GameServer, askedAt: number): ServerSnapshot[] {
  return known.map((seen) =>
    seen.server.id === server.id ? newerSnapshot(seen, { server, requestNumber: askedAt }) : seen,
  );
}

function newerSnapshot(known: ServerSnapshot | undefined, answer: ServerSnapshot): ServerSnapshot {
  return known !== undefined && known.requestNumber > answer.requestNumber ? known : answer;
}
