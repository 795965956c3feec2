import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import type { Tables } from "#server/db/schema.ts";

export type QueuedMail = Tables["mails"];

export async function createMail(db: Db, mail: QueuedMail): Promise<void> {
  await db.insertInto("mails").values(mail).execute();
}

/** Returns at most `limit` mails that are due at `now` (epoch ms), the longest due first. */
export async function listDueMails(db: Db, now: number, limit: number): Promise<QueuedMail[]> {
  return db.selectFrom("mails").selectAll().where("due_at", "<=", now).orderBy("due_at").limit(limit).execute();
}

/** Counts the mails that are not delivered yet. */
export async function countMails(db: Db): Promise<number> {
  const { mails } = await db
    .selectFrom("mails")
    .select(({ fn }) => fn.countAll<number>().as("mails"))
    .executeTakeFirstOrThrow();
  return Number(mails);
}

/**
 * Reserves a mail for this instance until `until` (epoch ms). Returns `false` if another instance
 * has reserved it.
 */
export async function claimMail(db: Db, { id, due_at }: QueuedMail, until: number): Promise<boolean> {
  return exists(
    db.updateTable("mails").set({ due_at: until }).where("id", "=", id).where("due_at", "=", due_at).returning("id"),
  );
}

/**
 * Postpones a mail. `dueAt`: epoch ms of the next attempt. `refusals`: number of failed attempts so
 * far, not counting failures of the connection or the login.
 */
export async function postponeMail(db: Db, id: string, dueAt: number, refusals: number): Promise<void> {
  await db.updateTable("mails").set({ due_at: dueAt, refusals }).where("id", "=", id).execute();
}

export async function deleteMail(db: Db, id: string): Promise<void> {
  await db.deleteFrom("mails").where("id", "=", id).execute();
}

/** Deletes mails that expired before delivery, and returns their number. */
export async function deleteExpiredMails(db: Db, now: number): Promise<number> {
  const rows = await db.deleteFrom("mails").where("expires_at", "<=", now).returning("id").execute();
  return rows.length;
}
