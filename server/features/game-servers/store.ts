import { type Selectable, sql } from "kysely";

import type { Phase, Players } from "#contract/game-servers.ts";
import { shownWith } from "#contract/visibility.ts";
import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import type { Tables } from "#server/db/schema.ts";
import type { SavedState, StartFailure, SwitchAction } from "./rules.ts";

export type GameServerRow = Selectable<Tables["game_servers"]>;

/** Chosen by an administrator or the operator. */
export type Settings = Pick<
  GameServerRow,
  "display_name" | "driver" | "ref" | "address" | "query" | "grace_seconds" | "idle_stop_minutes"
>;

export async function listGameServers(db: Db): Promise<GameServerRow[]> {
  return db.selectFrom("game_servers").selectAll().orderBy("position").orderBy("id").execute();
}

export async function findGameServer(db: Db, id: number): Promise<GameServerRow | undefined> {
  return db.selectFrom("game_servers").selectAll().where("id", "=", id).executeTakeFirst();
}

/** Includes the member who last started or stopped each, unless hidden; `id` `null` lists all. */
export async function listGameServersWithChanger(db: Db, id: number | null) {
  return db
    .selectFrom("game_servers as server")
    .leftJoin("users as user", (join) =>
      join.onRef("user.id", "=", "server.changed_by").on("user.visibility", "in", shownWith.gameServers),
    )
    .selectAll("server")
    .select(["user.name as changer_name", "user.avatar_id as changer_avatar_id", "user.password_hash as changer_hash"])
    .$if(id !== null, (query) => query.where("server.id", "=", id!))
    .orderBy("server.position")
    .orderBy("server.id")
    .execute();
}

export async function listGameServersChangedBy(db: Db, userId: number) {
  return db
    .selectFrom("game_servers")
    .select(["display_name", "wanted", "changed_at"])
    .where("changed_by", "=", userId)
    .orderBy("id")
    .execute();
}

/** Lists servers that were restored from a backup and are not enabled yet. */
export async function listInactiveGameServers(db: Db): Promise<GameServerRow[]> {
  return (await listGameServers(db)).filter((row) => !isActive(row));
}

export function isActive({ is_active }: Pick<GameServerRow, "is_active">): boolean {
  return is_active === 1;
}

/** After a restore, deactivates all programs and resets their machine and state, which are those of another machine. */
export async function deactivatePrograms(db: Db): Promise<void> {
  const forgotten = {
    phase: "unknown",
    word: "",
    is_alive: 0,
    run_since: null,
    players: null,
    empty_since: null,
    auto_stop_at: null,
    start_failure: null,
    changing: null,
    changing_until: 0,
  };
  await db
    .updateTable("game_servers")
    .set({ is_active: 0, machine: null, ...forgotten })
    .where("driver", "!=", "docker")
    .execute();
}

export async function activateGameServer(db: Db, id: number, machine: string | null): Promise<void> {
  await db.updateTable("game_servers").set({ is_active: 1, machine }).where("id", "=", id).execute();
}

export async function createGameServer(
  db: Db,
  settings: Settings & Partial<Pick<GameServerRow, "machine">>,
  now: number,
): Promise<number> {
  const position = sql<number>`(select coalesce(max(position), 0) + 1 from game_servers)`;
  const { id } = await db
    .insertInto("game_servers")
    .values({ ...settings, position, created_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateSettings(db: Db, id: number, settings: Partial<Settings>): Promise<boolean> {
  return exists(db.updateTable("game_servers").set(settings).where("id", "=", id).returning("id"));
}

export async function updatePosition(db: Db, id: number, position: number): Promise<void> {
  await db.updateTable("game_servers").set({ position }).where("id", "=", id).execute();
}

export async function deleteGameServer(db: Db, id: number): Promise<boolean> {
  return exists(db.deleteFrom("game_servers").where("id", "=", id).returning("id"));
}

export function savedState(row: GameServerRow): SavedState {
  return {
    phase: row.phase as Phase,
    driverStatus: row.word,
    isAlive: row.is_alive === 1,
    runSince: row.run_since,
    requested: row.wanted as SwitchAction | null,
    requestedBy: row.changed_by,
    requestedAt: row.changed_at,
    switching: row.changing === null ? null : { action: row.changing as SwitchAction, until: row.changing_until },
    emptySince: row.empty_since,
    autoStopAt: row.auto_stop_at,
    players: row.players === null ? null : (JSON.parse(row.players) as Players),
    startFailure: row.start_failure === null ? null : (JSON.parse(row.start_failure) as StartFailure),
  };
}

function toColumns(state: SavedState) {
  return {
    phase: state.phase,
    word: state.driverStatus,
    is_alive: state.isAlive ? 1 : 0,
    run_since: state.runSince,
    wanted: state.requested,
    changed_by: state.requestedBy,
    changed_at: state.requestedAt,
    changing: state.switching?.action ?? null,
    changing_until: state.switching?.until ?? 0,
    empty_since: state.emptySince,
    auto_stop_at: state.autoStopAt,
    players: state.players && JSON.stringify(state.players),
    start_failure: state.startFailure && JSON.stringify(state.startFailure),
  };
}

/**
 * Stores the differing columns. Returns `false` if the server was deleted, or if a start or stop would begin while
 * another instance makes one; checks neither if nothing differs.
 */
export async function updateState(
  db: Db,
  id: number,
  { before, after, now }: { before: SavedState; after: SavedState; now: number },
): Promise<boolean> {
  const stored: Record<string, unknown> = toColumns(before);
  const changed = Object.entries(toColumns(after)).filter(([name, value]) => value !== stored[name]);
  if (changed.length === 0) return true;
  const begins = before.switching === null && after.switching !== null;
  return exists(
    db
      .updateTable("game_servers")
      .set(Object.fromEntries(changed))
      .where("id", "=", id)
      .$if(begins, (query) => query.where("changing_until", "<=", now))
      .returning("id"),
  );
}
