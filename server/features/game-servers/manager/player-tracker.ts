import type { Players } from "#contract/game-servers.ts";
import { queryPlayers, type QueryKind } from "../protocols/query-players.ts";
import { type Idleness, updateIdleness } from "../rules.ts";
import { updatePlayers } from "../store.ts";
import { type SupervisionContext, isQueryable, type SupervisedServer } from "./supervised-server.ts";

/** Who plays on one server, and since when nobody does. */
export interface PlayerTracker {
  /** Asks the game, and writes down what it says. */
  count(): Promise<void>;
  /** Milliseconds since it was asked last. */
  age(): number;
  /** Nobody can be playing. */
  leave(): Promise<void>;
  /** Whether it is time to stop because nobody plays. */
  isStopDue(): boolean;
  /** Waits anew for somebody to come. */
  keep(): Promise<void>;
}

export function createPlayerTracker(server: SupervisedServer, context: SupervisionContext): PlayerTracker {
  const { db, clock } = context;
  let players = server.row.players;
  let idleness: Idleness = { emptySince: server.row.empty_since, autoStopAt: server.row.auto_stop_at };
  let askedAt = -Infinity;
  let counting: Promise<void> | null = null;

  async function ask(): Promise<void> {
    askedAt = performance.now();
    const { query, address } = server.row;
    const met = isQueryable(server.row) ? await queryPlayers(query as Exclude<QueryKind, "none">, address!) : null;
    if (met && server.hasAnswered === false) {
      server.hasAnswered = true;
      await server.reconsider();
    }
    await note(server.known.isAlive ? met : null);
  }

  async function note(met: Players): Promise<void> {
    const next = updateIdleness(idleness, {
      idleStopMinutes: server.row.idle_stop_minutes,
      phase: server.known.phase,
      online: met?.online ?? null,
      now: clock.now(),
    });
    await write(met && JSON.stringify(met), next);
  }

  async function write(met: string | null, next: Idleness): Promise<void> {
    const isNews = met !== players || next.autoStopAt !== idleness.autoStopAt;
    if ((!isNews && next.emptySince === idleness.emptySince) || context.term.aborted) return;
    await updatePlayers(db, server.row.id, met, next);
    players = met;
    idleness = next;
    if (isNews) context.tell(server.row.id, "", null);
  }

  return {
    count() {
      counting ??= ask().finally(() => {
        counting = null;
      });
      return counting;
    },
    age: () => performance.now() - askedAt,
    leave: async () => {
      if (players !== null || idleness.emptySince !== null) await write(null, { emptySince: null, autoStopAt: null });
    },
    isStopDue: () => idleness.autoStopAt !== null && clock.now() >= idleness.autoStopAt,
    async keep() {
      if (idleness.autoStopAt === null) return;
      idleness = { ...idleness, emptySince: clock.now() };
      await note(players === null ? null : (JSON.parse(players) as Players));
    },
  };
}
