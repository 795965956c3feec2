import { createHash, randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { StoredFile } from "#server/db/bytes.ts";
import type { Db } from "#server/db/connect.ts";
import { changeAsAdmin } from "#server/features/members/actions.ts";
import type { Change } from "#server/platform/audit/store.ts";
import type { Context } from "#server/platform/context.ts";
import { refuseField } from "#server/platform/http/refusal.ts";
import { minutes } from "#server/time.ts";
import { detectAudioType } from "./music-rules.ts";
import * as store from "./music-store.ts";
import { announceManagedCalendar } from "./notice-actions.ts";

type MusicContext = Pick<Context, "db" | "say">;

/** Refuses a file that is not audio. */
export async function setAudio(context: MusicContext, bytes: Buffer, change: Change): Promise<void> {
  const media = detectAudioType(bytes);
  if (media === null) throw refuseField("audio", "wrongAudioType");
  await changeAsAdmin(context, change.by, async (tx, say) => {
    await store.replaceAudio(tx, { id: randomBytes(16).toString("base64url"), media, bytes, size: bytes.length });
    await say.audit("calendar-audio-changed", {});
    await announceManagedCalendar(say);
  });
}

/** Makes the calendar play the built-in carol again. */
export async function removeAudio(context: MusicContext, change: Change): Promise<void> {
  await changeAsAdmin(context, change.by, async (tx, say) => {
    if (await store.deleteAudio(tx)) await say.audit("calendar-audio-removed", {});
    await announceManagedCalendar(say);
  });
}

export interface Audio extends StoredFile {
  readonly media: string;
}

/** Time for which the music is cached after a request. */
const audioLifetimeMs = minutes(1);

/**
 * Returns the uploaded file, or else the built-in carol. All listeners share one cached copy, because SQLite reads a
 * row of 20 MB completely, even for a part of the file.
 */
export function createAudioSource(db: Db): () => Promise<Audio> {
  let loaded: { readonly id: string | undefined; readonly file: Promise<LoadedAudio> } | undefined;
  let forgetting: NodeJS.Timeout | undefined;

  function forget(): void {
    loaded = undefined;
  }

  return async () => {
    const chosen = await store.findAudio(db);
    if (loaded?.id !== chosen?.id || !loaded) loaded = { id: chosen?.id, file: loadAudio(db, chosen?.id) };
    clearTimeout(forgetting);
    forgetting = setTimeout(forget, audioLifetimeMs).unref();
    const { bytes, tag } = await loaded.file.catch((error: unknown) => {
      forget();
      throw error;
    });
    return {
      media: chosen?.media ?? "audio/mpeg",
      size: bytes.length,
      tag,
      read: async ({ start, end }) => bytes.subarray(start, end + 1),
    };
  };
}

interface LoadedAudio {
  readonly bytes: Buffer;
  readonly tag: string;
}

async function loadAudio(db: Db, id: string | undefined): Promise<LoadedAudio> {
  if (id !== undefined) return { bytes: await store.findAudioBytes(db, id), tag: id };
  const bytes = await readFile(join(import.meta.dirname, "carol.mp3"));
  return { bytes, tag: createHash("sha256").update(bytes).digest("base64url").slice(0, 22) };
}
