import type { NotificationSettings } from "#contract/notifications.ts";
import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import { maxId } from "#server/db/paginate.ts";
import { prepareQuery, prepareRowsQuery } from "#server/db/prepared-query.ts";
import type { Tables } from "#server/db/schema.ts";
import type { PushTarget } from "#server/platform/push/endpoint.ts";
import { defaultSettings, type PartyNews } from "./rules.ts";

/** Locks until the transaction ends; returns `false` if the session has ended. */
export async function lockSession(tx: Db, sessionId: string): Promise<boolean> {
  return exists(
    tx
      .updateTable("sessions")
      .set(({ ref }) => ({ last_seen_at: ref("last_seen_at") }))
      .where("id", "=", sessionId)
      .returning("id"),
  );
}

/** Takes over an endpoint of another session. */
export async function upsertSubscription(tx: Db, sessionId: string, target: PushTarget, now: number): Promise<void> {
  const fresh = { session_id: sessionId, p256dh: target.p256dh, auth: target.auth, failures: 0, failing_since: null };
  await tx
    .insertInto("push_subscriptions")
    .values({ ...fresh, endpoint: target.endpoint, created_at: now, delivered_at: null })
    .onConflict((conflict) => conflict.column("endpoint").doUpdateSet(fresh))
    .execute();
}

/** Deletes the subscription with this endpoint if it belongs to another member. */
export async function deleteForeignEndpoint(tx: Db, endpoint: string, userId: number): Promise<void> {
  await tx
    .deleteFrom("push_subscriptions")
    .where("endpoint", "=", endpoint)
    .where("session_id", "not in", (own) =>
      own.selectFrom("sessions").select("sessions.id").where("user_id", "=", userId),
    )
    .execute();
}

export async function deleteOldestSubscriptions(tx: Db, userId: number, keep: number): Promise<void> {
  await tx
    .deleteFrom("push_subscriptions")
    .where("id", "in", (query) =>
      query
        .selectFrom("push_subscriptions as own")
        .innerJoin("sessions", "sessions.id", "own.session_id")
        .select("own.id")
        .where("sessions.user_id", "=", userId)
        .orderBy("own.created_at", "desc")
        .orderBy("own.id", "desc")
        // SQLite does not support an offset without a limit.
        .limit(maxId)
        .offset(keep),
    )
    .execute();
}

/** Returns the newest first. */
export async function listSubscriptions(db: Db, userId: number) {
  return db
    .selectFrom("push_subscriptions as own")
    .innerJoin("sessions", "sessions.id", "own.session_id")
    .select(["own.id", "own.session_id", "own.endpoint", "own.p256dh", "own.auth", "own.created_at"])
    .select(["own.delivered_at", "sessions.user_agent"])
    .where("sessions.user_id", "=", userId)
    .orderBy("own.created_at", "desc")
    .orderBy("own.id", "desc")
    .execute();
}

export async function listAllSubscriptions(db: Db) {
  const rows = await selectAllSubscriptions(db);
  return rows.map((row) => ({ id: row.id, userId: row.user_id, settings: toSettings(row) }));
}

const selectAllSubscriptions = prepareQuery((db: Db) => selectWithSettings(db));

export async function findSubscription(db: Db, id: number) {
  const row = await selectWithSettings(db)
    .select(["push.session_id", "push.endpoint", "push.p256dh", "push.auth"])
    .where("push.id", "=", id)
    .executeTakeFirst();
  if (!row) return undefined;
  const { session_id, endpoint, p256dh, auth } = row;
  return { sessionId: session_id, target: { endpoint, p256dh, auth }, settings: toSettings(row) };
}

function selectWithSettings(db: Db) {
  return db
    .selectFrom("push_subscriptions as push")
    .innerJoin("sessions", "sessions.id", "push.session_id")
    .leftJoin("notification_settings as settings", "settings.user_id", "sessions.user_id")
    .select(["push.id", "sessions.user_id"])
    .select(["settings.beers", "settings.game_servers", "settings.calendar", "settings.party"])
    .select(["settings.sound", "quiet_from", "quiet_until"]);
}

/** A start is news to those who have not joined, a call for photos to those there, and an end to those who were. */
export async function isPartyNews(db: Db, sessionId: string, { id, news }: PartyNews, now: number): Promise<boolean> {
  const own = db
    .selectFrom("party_members")
    .innerJoin("sessions", "sessions.user_id", "party_members.user_id")
    .select("party_id")
    .where("sessions.id", "=", sessionId);
  const party = db.selectFrom("parties").select("id").where("id", "=", id);
  if (news === "ended") return exists(party.where("ends_at", "<=", now).where("id", "in", own));
  const running = party.where("starts_at", "<=", now).where("ends_at", ">", now);
  if (news === "photo") return exists(running.where("id", "in", own.where("counts_until", "is", null)));
  return exists(running.where("id", "not in", own));
}

/** Returns `true` if at least one of these doors is assigned to the session's member and has no picture. */
export async function hasEmptyDoor(db: Db, sessionId: string, dates: readonly string[]): Promise<boolean> {
  return exists(
    db
      .selectFrom("calendar_assignments as door")
      .innerJoin("sessions", "sessions.user_id", "door.user_id")
      .leftJoin("calendar_pictures as picture", "picture.date", "door.date")
      .select("door.date")
      .where("sessions.id", "=", sessionId)
      .where("door.date", "in", dates)
      .where("picture.id", "is", null),
  );
}

/** Returns the session; `undefined` if the member has no such subscription. */
export async function deleteOwnSubscription(tx: Db, userId: number, id: number): Promise<string | undefined> {
  const row = await tx
    .deleteFrom("push_subscriptions")
    .where("id", "=", id)
    .where("session_id", "in", (own) => own.selectFrom("sessions").select("sessions.id").where("user_id", "=", userId))
    .returning("session_id")
    .executeTakeFirst();
  return row?.session_id;
}

export async function createRefusal(tx: Db, sessionId: string): Promise<void> {
  await tx
    .insertInto("push_refusals")
    .values({ session_id: sessionId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteRefusal(tx: Db, sessionId: string): Promise<void> {
  await tx.deleteFrom("push_refusals").where("session_id", "=", sessionId).execute();
}

export async function hasRefused(db: Db, sessionId: string): Promise<boolean> {
  return exists(db.selectFrom("push_refusals").select("session_id").where("session_id", "=", sessionId));
}

export async function deleteSubscription(db: Db, id: number): Promise<void> {
  await db.deleteFrom("push_subscriptions").where("id", "=", id).execute();
}

/** Open browsers subscribe again automatically. */
export async function deleteSubscriptions(tx: Db): Promise<void> {
  await tx.deleteFrom("push_subscriptions").execute();
}

export async function updateDelivered(db: Db, ids: readonly number[], now: number): Promise<void> {
  const changes = { delivered_at: now, failures: 0, failing_since: null };
  await db.updateTable("push_subscriptions").set(changes).where("id", "in", ids).execute();
}

/** Returns the failures in a row and the time of the first. */
export async function updateFailed(db: Db, id: number, now: number) {
  return db
    .updateTable("push_subscriptions")
    .set(({ eb, fn, val }) => ({
      failures: eb("failures", "+", 1),
      failing_since: fn.coalesce("failing_since", val(now)),
    }))
    .where("id", "=", id)
    .returning(["failures", "failing_since"])
    .executeTakeFirst();
}

type SettingsRow = { [Name in keyof Omit<Tables["notification_settings"], "user_id">]: number | string | null };

function toSettings({
  beers,
  game_servers,
  calendar,
  party,
  sound,
  quiet_from,
  quiet_until,
}: SettingsRow): NotificationSettings {
  if (beers === null) return defaultSettings;
  const hasHours = quiet_from !== null && quiet_until !== null;
  return {
    beers: beers === 1,
    game_servers: game_servers === 1,
    calendar: calendar === 1,
    party: party === 1,
    sound: sound === 1,
    quiet_hours: hasHours ? { from: String(quiet_from), until: String(quiet_until) } : null,
  };
}

export async function findSettings(db: Db, userId: number): Promise<NotificationSettings> {
  const row = await db.selectFrom("notification_settings").selectAll().where("user_id", "=", userId).executeTakeFirst();
  return row ? toSettings(row) : defaultSettings;
}

export async function updateSettings(db: Db, userId: number, settings: NotificationSettings): Promise<void> {
  const row = {
    beers: Number(settings.beers),
    game_servers: Number(settings.game_servers),
    // Older versions of the web app do not send the next two settings.
    ...(settings.calendar !== undefined && { calendar: Number(settings.calendar) }),
    ...(settings.party !== undefined && { party: Number(settings.party) }),
    sound: Number(settings.sound),
    quiet_from: settings.quiet_hours?.from ?? null,
    quiet_until: settings.quiet_hours?.until ?? null,
  };
  await db
    .insertInto("notification_settings")
    .values({ user_id: userId, ...row })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
    .execute();
}

type Throttle = Omit<Tables["notification_pauses"], "key">;

export async function findThrottles(db: Db, keys: readonly string[]): Promise<Map<string, Throttle>> {
  const rows = await selectThrottles(
    db,
    keys.map((key) => ({ key })),
  );
  return new Map(rows.map(({ key, ...pause }) => [key, pause]));
}

const selectThrottles = prepareRowsQuery((db: Db, rows: readonly { key: string }[]) =>
  db
    .selectFrom("notification_pauses")
    .selectAll()
    .where(
      "key",
      "in",
      rows.map(({ key }) => key),
    ),
);

/** Returns `false` if another instance has replaced `last` first. */
export async function startThrottle(tx: Db, key: string, last: Throttle | undefined, next: Throttle): Promise<boolean> {
  const insert = tx.insertInto("notification_pauses").values({ key, ...next });
  if (!last) return exists(insert.onConflict((conflict) => conflict.doNothing()).returning("key"));
  const update = tx.updateTable("notification_pauses").set(next).where("key", "=", key);
  return exists(update.where("pushed_at", "=", last.pushed_at).returning("key"));
}

export async function deleteThrottles(db: Db, since: number): Promise<void> {
  await db.deleteFrom("notification_pauses").where("pushed_at", "<", since).execute();
}
