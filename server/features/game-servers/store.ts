import { type Selectable, sql } from "kysely";

import type { Db } from "#server/db/connect.ts";
import type { Tables } from "#server/db/tables.ts";
import type { Idleness, ServerStatus, Phase, SwitchAction } from "./rules.ts";

export type GameServerRow = Selectable<Tables["game_servers"]>;

/** What an administrator sets up. */
export interface Settings {
  readonly display_name: string;
  readonly driver: string;
  readonly ref: string;
  readonly address: string | null;
  readonly query: string;
  readonly grace_seconds: number | null;
  readonly idle_stop_minutes: number | null;
}

/** All of them, in their order on the page. */
export async function listGameServers(db: Db): Promise<GameServerRow[]> {
  return db.selectFrom("game_servers").selectAll().orderBy("position").orderBy("id").execute();
}

export async function findGameServer(db: Db, id: number): Promise<GameServerRow | undefined> {
  return db.selectFrom("game_servers").selectAll().where("id", "=", id).executeTakeFirst();
}

/** As members see them, with who changed each of them last; of one server only where `id` is given. */
export async function listGameServersWithChanger(db: Db, id: number | null) {
  return db
    .selectFrom("game_servers as server")
    .leftJoin("users as user", "user.id", "server.changed_by")
    .selectAll("server")
    .select(["user.name as changer_name", "user.avatar_id as changer_avatar_id"])
    .$if(id !== null, (query) => query.where("server.id", "=", id!))
    .orderBy("server.position")
    .orderBy("server.id")
    .execute();
}

/** Puts a server at the end of the list. */
export async function createGameServer(db: Db, settings: Settings, now: number): Promise<number> {
  const position = sql<number>`(select coalesce(max(position), 0) + 1 from game_servers)`;
  const { id } = await db
    .insertInto("game_servers")
    .values({ ...settings, position, created_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** Returns whether there is such a server. */
export async function updateSettings(db: Db, id: number, settings: Partial<Settings>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("game_servers")
    .set(settings)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function updatePosition(db: Db, id: number, position: number): Promise<void> {
  await db.updateTable("game_servers").set({ position }).where("id", "=", id).execute();
}

/** Returns whether there was such a server. */
export async function deleteGameServer(db: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("game_servers").where("id", "=", id).executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Begins a change unless another one is under way; returns whether it may go on. */
export async function claimChange(
  db: Db,
  id: number,
  { changing, now, until }: { changing: SwitchAction; now: number; until: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("game_servers")
    .set({ changing, changing_until: until })
    .where("id", "=", id)
    .where("changing_until", "<=", now)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** The change goes on, or becomes another one. */
export async function renewChange(db: Db, id: number, changing: SwitchAction, until: number): Promise<void> {
  await db.updateTable("game_servers").set({ changing, changing_until: until }).where("id", "=", id).execute();
}

export async function endChange(db: Db, id: number): Promise<void> {
  await db.updateTable("game_servers").set({ changing: null, changing_until: 0 }).where("id", "=", id).execute();
}

/** Writes down what was wanted last; `wanted` null takes it back. */
export async function updateRequest(
  db: Db,
  id: number,
  { wanted, by, at }: { wanted: SwitchAction | null; by: number | null; at: number | null },
): Promise<void> {
  await db.updateTable("game_servers").set({ wanted, changed_by: by, changed_at: at }).where("id", "=", id).execute();
}

/** Returns whether the server still exists. */
export async function updateStatus(
  db: Db,
  id: number,
  { phase, word, isAlive, runSince }: ServerStatus,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("game_servers")
    .set({ phase, word, is_alive: isAlive ? 1 : 0, run_since: runSince })
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** `players` as JSON. */
export async function updatePlayers(
  db: Db,
  id: number,
  players: string | null,
  { emptySince, autoStopAt }: Idleness,
): Promise<void> {
  await db
    .updateTable("game_servers")
    .set({ players, empty_since: emptySince, auto_stop_at: autoStopAt })
    .where("id", "=", id)
    .execute();
}

/** What was known when it was written down last. */
export function statusOf(row: GameServerRow): ServerStatus {
  return { phase: row.phase as Phase, word: row.word, isAlive: row.is_alive === 1, runSince: row.run_since };
}
