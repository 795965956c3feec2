import type { GameServer } from "#contract/game-servers.ts";

/** A server, and the number of the request it is the answer to. */
export interface ServerSnapshot {
  readonly server: GameServer;
  readonly requestNumber: number;
}

/** Takes over a list; a server that was answered to a later request keeps its state. */
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

/** Puts the new state of one server into the list. */
export function mergeServer(known: readonly ServerSnapshot[], server: GameServer, askedAt: number): ServerSnapshot[] {
  return known.map((seen) =>
    seen.server.id === server.id ? newerSnapshot(seen, { server, requestNumber: askedAt }) : seen,
  );
}

function newerSnapshot(known: ServerSnapshot | undefined, answer: ServerSnapshot): ServerSnapshot {
  return known !== undefined && known.requestNumber > answer.requestNumber ? known : answer;
}
