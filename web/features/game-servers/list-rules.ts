import type { GameServer } from "#contract/game-servers.ts";

/**
 * State of a game server, and the number of the request that returned it. Later requests have
 * higher numbers.
 */
export interface ServerSnapshot {
  readonly server: GameServer;
  readonly requestNumber: number;
}

/**
 * Returns the fetched list of game servers. A known server keeps its state if that state comes from
 * a later request than the list.
 */
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

/**
 * Returns the list with the new state of one game server, unless its known state comes from a later
 * request.
 */
export function mergeServer(known: readonly ServerSnapshot[], server: GameServer, askedAt: number): ServerSnapshot[] {
  return known.map((seen) =>
    seen.server.id === server.id ? newerSnapshot(seen, { server, requestNumber: askedAt }) : seen,
  );
}

function newerSnapshot(known: ServerSnapshot | undefined, answer: ServerSnapshot): ServerSnapshot {
  return known !== undefined && known.requestNumber > answer.requestNumber ? known : answer;
}
