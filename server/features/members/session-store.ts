import type { ExpressionBuilder, Insertable } from "kysely";

import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import { maxId } from "#server/db/paginate.ts";
import { isPostgres } from "#server/db/postgres-status.ts";
import { prepareQuery } from "#server/db/prepared-query.ts";
import type { Tables } from "#server/db/schema.ts";
import * as memberStore from "./store.ts";

function isAlive({ or, and, eb }: ExpressionBuilder<Tables, "sessions">, now: SessionCutoffs) {
  return or([
    and([eb("is_remembered", "=", 1), eb("sessions.created_at", ">", now.rememberedSince)]),
    and([
      eb("is_remembered", "=", 0),
      eb("sessions.created_at", ">", now.createdSince),
      eb("last_seen_at", ">", now.seenSince),
    ]),
  ]);
}

export type Session = NonNullable<Awaited<ReturnType<typeof findSession>>>;

/** Lists valid sessions of enabled members, in any order. */
export async function listSessionsById(db: Db, ids: readonly string[], now: SessionCutoffs): Promise<Session[]> {
  const { rememberedSince, createdSince, seenSince } = now;
  // The most frequent query is compiled only once.
  if (ids.length === 1) return findSessionById(db, ids[0]!, rememberedSince, createdSince, seenSince);
  return selectSessions(db, now).where("sessions.id", "in", ids).execute();
}

const findSessionById = prepareQuery(
  (db: Db, id: string, rememberedSince: number, createdSince: number, seenSince: number) =>
    selectSessions(db, { rememberedSince, createdSince, seenSince }).where("sessions.id", "=", id),
);

/** Ignores ended sessions and disabled members. */
export async function findSession(db: Db, id: string, now: SessionCutoffs) {
  const { rememberedSince, createdSince, seenSince } = now;
  return (await findSessionById(db, id, rememberedSince, createdSince, seenSince))[0];
}

function selectSessions(db: Db, now: SessionCutoffs) {
  return db
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .select(["sessions.id as session_id", "sessions.last_seen_at", "sessions.confirmed_at", "sessions.passkey_at"])
    .select(["users.id", "users.uname", "users.name", "users.email", "users.avatar_id", memberStore.heldPermissions])
    .select(["users.visibility", "users.news_seen", memberStore.anyGameServer])
    .where("users.disabled_at", "is", null)
    .where((builder) => isAlive(builder, now));
}

/** A session has ended if it was created or last seen before these times. */
export interface SessionCutoffs {
  readonly rememberedSince: number;
  readonly createdSince: number;
  readonly seenSince: number;
}

export async function insertSession(db: Db, session: Insertable<Tables["sessions"]>): Promise<void> {
  await db.insertInto("sessions").values(session).execute();
}

/** On PostgreSQL, skips sessions that another query is changing. */
export async function touchSessions(db: Db, ids: readonly string[], now: number): Promise<void> {
  const sessions = db
    .selectFrom("sessions")
    .select("id")
    .where("id", "in", ids)
    .$if(isPostgres(db), (locking) => locking.forUpdate().skipLocked());
  await db.updateTable("sessions").set({ last_seen_at: now }).where("id", "in", sessions).execute();
}

/** Returns the member's id; `undefined` if the session did not exist. */
export async function deleteSession(db: Db, id: string): Promise<number | undefined> {
  return (await db.deleteFrom("sessions").where("id", "=", id).returning("user_id").executeTakeFirst())?.user_id;
}

export async function hasSession(db: Db, id: string): Promise<boolean> {
  return exists(db.selectFrom("sessions").select("id").where("id", "=", id));
}

/** Omits ended sessions; last seen first. */
export async function listSessions(db: Db, userId: number, now: SessionCutoffs) {
  return db
    .selectFrom("sessions")
    .select(["id", "user_agent", "created_at", "last_seen_at"])
    .where("user_id", "=", userId)
    .where((builder) => isAlive(builder, now))
    .orderBy("last_seen_at", "desc")
    .orderBy("created_at", "desc")
    .execute();
}

/** Returns `undefined` if the session has ended. */
export async function rotateSession(
  db: Db,
  from: string,
  changes: { id: string; confirmed_at?: number; passkey_at?: number },
) {
  return db
    .updateTable("sessions")
    .set(changes)
    .where("id", "=", from)
    .returning(["is_remembered", "created_at"])
    .executeTakeFirst();
}

/** Returns the ids of the deleted sessions. */
export async function deleteSessions(db: Db, userId: number, exceptId: string | null): Promise<string[]> {
  const rows = await db
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .$if(exceptId !== null, (query) => query.where("id", "!=", exceptId!))
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns `false` if the member has no such session. */
export async function deleteOwnSession(db: Db, userId: number, id: string): Promise<boolean> {
  return exists(db.deleteFrom("sessions").where("id", "=", id).where("user_id", "=", userId).returning("id"));
}

/** Keeps the `keep` newest; returns the ids of the deleted sessions. */
export async function deleteOldestSessions(db: Db, userId: number, keep: number): Promise<string[]> {
  const rows = await db
    .deleteFrom("sessions")
    .where("id", "in", (query) =>
      query
        .selectFrom("sessions")
        .select("id")
        .where("user_id", "=", userId)
        .orderBy("created_at", "desc")
        .orderBy("id")
        // SQLite requires a limit with an offset.
        .limit(maxId)
        .offset(keep),
    )
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the deleted sessions with their members. */
export async function deleteEndedSessions(db: Db, now: SessionCutoffs) {
  return db
    .deleteFrom("sessions")
    .where((builder) => builder.not(isAlive(builder, now)))
    .returning(["id", "user_id"])
    .execute();
}

export async function listOwnSessions(db: Db, userId: number) {
  return db
    .selectFrom("sessions")
    .select(["id", "user_agent", "created_at", "last_seen_at", "confirmed_at", "passkey_at", "is_remembered"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute();
}
