import { getCalendarAudio } from "#contract/calendar-music.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { sendFile } from "#server/platform/http/ranges.ts";
import { createAudioSource } from "./actions.ts";

export function addRoutes({ http, db }: Context): void {
  const findMusic = createAudioSource(db);
  handle(http, getCalendarAudio, async ({ request, reply }) => {
    const music = await findMusic();
    reply.header("cache-control", "private, max-age=3600").type(music.media);
    return sendFile(request, reply, music);
  });
}
