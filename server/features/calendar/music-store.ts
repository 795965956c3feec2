import type { Db } from "#server/db/connect.ts";
import { exists } from "#server/db/exists.ts";
import type { Tables } from "#server/db/schema.ts";

export async function findAudio(db: Db): Promise<{ id: string; media: string; size: number } | undefined> {
  return db.selectFrom("calendar_audio").select(["id", "media", "size"]).executeTakeFirst();
}

export async function findAudioBytes(db: Db, id: string): Promise<Buffer> {
  const row = await db.selectFrom("calendar_audio").select("bytes").where("id", "=", id).executeTakeFirstOrThrow();
  return Buffer.from(row.bytes);
}

export async function replaceAudio(tx: Db, audio: Tables["calendar_audio"]): Promise<void> {
  await deleteAudio(tx);
  await tx.insertInto("calendar_audio").values(audio).execute();
}

/** Returns `false` if no music was uploaded. */
export async function deleteAudio(tx: Db): Promise<boolean> {
  return exists(tx.deleteFrom("calendar_audio").returning("id"));
}
