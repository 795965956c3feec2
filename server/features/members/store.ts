import { type Insertable, type Selectable, sql } from "kysely";

import { type Permission, permissions } from "#contract/endpoint.ts";
import type { User } from "#contract/members.ts";
import { newestNews } from "#contract/news.ts";
import { shownWith, type Visibility } from "#contract/visibility.ts";
import { bytesIn, sizeOf, type StoredFile } from "#server/db/bytes.ts";
import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import type { Tables } from "#server/db/schema.ts";
import { normalize, normalizeUname, toFormerColumns, toVisibilityFields } from "./rules.ts";

/** Columns of a `listedMember` of the contract. */
export const listedMember = ["users.id", "users.name", "users.avatar_id as avatarId"] as const;

/** Separated by commas; `null` without permissions. */
export const heldPermissions = sql<string | null>`(
  select string_agg(permission, ',') from user_permissions where user_permissions.user_id = users.id
)`.as("permissions");

export const anyGameServer = sql<1 | null>`(select 1 from game_servers limit 1)`.as("any_game_server");

/** Parses `heldPermissions` into the order of `permissions`. */
export function parsePermissions(held: string | null): Permission[] {
  const names = held?.split(",") ?? [];
  return permissions.filter((permission) => names.includes(permission));
}

const userColumns = ["id", "uname", "name", "email", "avatar_id", "visibility", "news_seen"] as const;
type UserRow = Pick<Selectable<Tables["users"]>, (typeof userColumns)[number]> & {
  readonly permissions: string | null;
  readonly any_game_server?: 1 | null;
};
const userSelection = [...userColumns, heldPermissions, anyGameServer] as const;

/** Copies each field, because this runs on every request and a spread takes four times as long. */
export function toUser(row: UserRow): User {
  const { id, uname, name, email, avatar_id, visibility, news_seen, any_game_server } = row;
  const held = parsePermissions(row.permissions);
  return {
    id,
    uname,
    name,
    email,
    permissions: held,
    avatarId: avatar_id,
    profile_picture: avatar_id,
    ...toVisibilityFields(visibility),
    ...(any_game_server === null && isLackingGameServers(held) && { has_no_game_servers: true }),
    ...(news_seen < newestNews && { has_unread_news: true }),
  };
}

/** Administrators always see the page, because they can add one. */
function isLackingGameServers(held: readonly Permission[]): boolean {
  return held.includes("see-game-servers") && !held.includes("admin");
}

export async function findUserByUname(db: Db, uname: string) {
  return db
    .selectFrom("users")
    .select([...userSelection, "password_hash", "disabled_at", "locked_until"])
    .where("uname_key", "=", normalizeUname(uname))
    .executeTakeFirst();
}

export async function findUserByEmail(db: Db, email: string) {
  return db
    .selectFrom("users")
    .select([...userSelection, "disabled_at"])
    .where("email_key", "=", normalize(email))
    .executeTakeFirst();
}

export async function findUserById(db: Db, id: number) {
  return db
    .selectFrom("users")
    .select([...userSelection, "password_hash", "disabled_at"])
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Returns the fields whose values a member other than `exceptId` already has. */
export async function listTakenFields(
  db: Db,
  { uname, email }: { uname: string; email: string },
  exceptId: number,
): Promise<("uname" | "email")[]> {
  const unameKey = normalizeUname(uname);
  const emailKey = normalize(email);
  const rows = await db
    .selectFrom("users")
    .select(["uname_key", "email_key"])
    .where(({ or, eb }) => or([eb("uname_key", "=", unameKey), eb("email_key", "=", emailKey)]))
    .where("id", "!=", exceptId)
    .execute();
  const taken: ("uname" | "email")[] = [];
  if (rows.some(({ uname_key }) => uname_key === unameKey)) taken.push("uname");
  if (rows.some(({ email_key }) => email_key === emailKey)) taken.push("email");
  return taken;
}

/** Throws a unique violation if the user name or email address is taken. */
export async function updateUser(
  db: Db,
  id: number,
  { uname, name, email }: { uname: string; name: string; email: string },
): Promise<User> {
  const row = await db
    .updateTable("users")
    .set({ uname, name, email, uname_key: normalizeUname(uname), email_key: normalize(email) })
    .where("id", "=", id)
    .returning(userSelection)
    .executeTakeFirstOrThrow();
  return toUser(row);
}

export async function updateName(db: Db, id: number, name: string): Promise<void> {
  await db.updateTable("users").set({ name }).where("id", "=", id).execute();
}

export async function updateVisibility(db: Db, id: number, visibility: Visibility): Promise<void> {
  await db
    .updateTable("users")
    .set({ visibility, ...toFormerColumns(visibility) })
    .where("id", "=", id)
    .where("disabled_at", "is", null)
    .execute();
}

type NewUser = Pick<
  Insertable<Tables["users"]>,
  "uname" | "name" | "email" | "password_hash" | "created_at" | "invitation_id"
> & {
  permissions: readonly Permission[];
};

/** Throws a unique violation if the user name or email address is taken. */
export async function insertUser(db: Db, { permissions: granted, ...user }: NewUser): Promise<number> {
  const row = await db
    .insertInto("users")
    .values({
      ...user,
      news_seen: newestNews,
      uname_key: normalizeUname(user.uname),
      email_key: normalize(user.email),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await insertPermissions(db, row.id, granted);
  return row.id;
}

export async function countUsers(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom("users")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function updatePermissions(db: Db, id: number, granted: readonly Permission[]): Promise<void> {
  await db.deleteFrom("user_permissions").where("user_id", "=", id).execute();
  await insertPermissions(db, id, granted);
}

async function insertPermissions(db: Db, id: number, granted: readonly Permission[]): Promise<void> {
  if (granted.length === 0) return;
  const rows = granted.map((permission) => ({ user_id: id, permission }));
  await db.insertInto("user_permissions").values(rows).execute();
}

/** Omits disabled administrators; in ascending order. */
export async function listAdminIds(db: Db): Promise<number[]> {
  const admins = await db
    .selectFrom("user_permissions")
    .innerJoin("users", "users.id", "user_permissions.user_id")
    .select("users.id")
    .where("permission", "=", "admin")
    .where("users.disabled_at", "is", null)
    .orderBy("users.id")
    .execute();
  return admins.map(({ id }) => id);
}

/** `null` enables the account. */
export async function updateDisabledAt(db: Db, id: number, at: number | null): Promise<void> {
  await db.updateTable("users").set({ disabled_at: at }).where("id", "=", id).execute();
}

/**
 * Locks the row until the transaction ends; changes of the member's pictures take the same lock. Call lockAdmins()
 * first if both are needed.
 */
export async function lockUser(tx: Db, id: number) {
  return tx
    .updateTable("users")
    .set(({ ref }) => ({ uname: ref("uname") }))
    .where("id", "=", id)
    .returning([...userSelection, "disabled_at"])
    .executeTakeFirst();
}

/**
 * Locks like lockUser(). Returns `false` if the account is disabled, or if its hash is not the verified `checkedHash`.
 */
export async function lockUserIfUnchanged(tx: Db, id: number, checkedHash: string): Promise<boolean> {
  return exists(
    tx
      .updateTable("users")
      .set(({ ref }) => ({ password_hash: ref("password_hash") }))
      .where("id", "=", id)
      .where("password_hash", "=", checkedHash)
      .where("disabled_at", "is", null)
      .returning("id"),
  );
}

/** Locks until the transaction ends, and returns the ids. Serializes two administrators who disable each other. */
export async function lockAdmins(tx: Db): Promise<number[]> {
  // Locks only the first account, which is never deleted, because locking several rows could deadlock.
  await tx
    .updateTable("users")
    .set(({ ref }) => ({ uname: ref("uname") }))
    .where("id", "=", ({ selectFrom }) => selectFrom("users").select(({ fn }) => fn.min("id").as("first")))
    .execute();
  return listAdminIds(tx);
}

export async function updatePasswordHash(db: Db, id: number, hash: string): Promise<void> {
  await db.updateTable("users").set({ password_hash: hash }).where("id", "=", id).execute();
}

export async function updateLastLogin(db: Db, id: number, at: number): Promise<void> {
  await db.updateTable("users").set({ last_login_at: at }).where("id", "=", id).execute();
}

/** Returns a picture only if it belongs to the viewer or is its owner's profile picture. */
export async function findPicture(db: Db, id: string, viewerId: number): Promise<StoredFile | undefined> {
  const row = await db
    .selectFrom("pictures")
    .innerJoin("users", "users.id", "pictures.user_id")
    .select(sizeOf("pictures.png").as("size"))
    .where("pictures.id", "=", id)
    .where(({ or, eb }) => or([eb("pictures.user_id", "=", viewerId), eb("users.avatar_id", "=", id)]))
    .executeTakeFirst();
  return row && toPictureFile(db, id, row.size);
}

export function toPictureFile(db: Db, id: string, size: number): StoredFile {
  return {
    size,
    tag: id,
    read: async (range) => {
      const query = db.selectFrom("pictures").select(bytesIn("png", range).as("bytes")).where("id", "=", id);
      return Buffer.from((await query.executeTakeFirstOrThrow()).bytes);
    },
  };
}

/** Returns the newest first. */
export async function listPictures(db: Db, userId: number): Promise<{ id: string }[]> {
  return db
    .selectFrom("pictures")
    .select("id")
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
}

export async function insertPicture(db: Db, picture: Tables["pictures"]): Promise<void> {
  await db.insertInto("pictures").values(picture).execute();
}

/** Returns `false` if the member has no picture with this id. */
export async function deletePicture(tx: Db, userId: number, id: string): Promise<boolean> {
  return exists(tx.deleteFrom("pictures").where("id", "=", id).where("user_id", "=", userId).returning("id"));
}

export async function updateAvatar(db: Db, userId: number, avatarId: string | null): Promise<void> {
  await db.updateTable("users").set({ avatar_id: avatarId }).where("id", "=", userId).execute();
}

/** A lower id than the stored one changes nothing. */
export async function updateNewsSeen(db: Db, id: number, seen: number): Promise<void> {
  await db
    .updateTable("users")
    .set({ news_seen: seen })
    .where("id", "=", id)
    .where("news_seen", "<", seen)
    .where("disabled_at", "is", null)
    .execute();
}

export async function findMembership(db: Db, userId: number) {
  return db
    .selectFrom("users")
    .select(["created_at", "last_login_at", "invitation_id", "sees_door_owners", "news_seen"])
    .select(["is_on_tablets", "is_tappable", "pin_hash"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
}

export async function listOwnPictures(db: Db, userId: number) {
  return db
    .selectFrom("pictures")
    .select(["id", "created_at"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute();
}

/** Returns `undefined` if the member is unknown, disabled or hidden. */
export async function findMemberAvatar(db: Db, id: number) {
  return db
    .selectFrom("users")
    .select(["avatar_id as avatarId", "name"])
    .where("id", "=", id)
    .where("disabled_at", "is", null)
    .where("visibility", "in", shownWith.avatars)
    .executeTakeFirst();
}
