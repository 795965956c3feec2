import * as contract from "#contract/calendar-music.ts";
import type { Context } from "#server/platform/context.ts";
import { handle } from "#server/platform/http/handle.ts";
import { sendFile } from "#server/platform/http/ranges.ts";
import { createAudioSource, removeAudio, setAudio } from "./music-actions.ts";

export function addMusicRoutes(context: Context): void {
  const { http, db, clock } = context;
  const findMusic = createAudioSource(db);
  handle(http, contract.getCalendarAudio, async ({ request, reply }) => {
    const music = await findMusic();
    reply.header("cache-control", "private, max-age=3600").type(music.media);
    return sendFile(request, reply, music);
  });
  handle(http, contract.setCalendarAudio, async ({ member, receiveUpload }) => {
    await receiveUpload(async (readForm) =>
      setAudio(context, await (await readForm()).read(), { by: member.id, at: clock.now() }),
    );
  });
  handle(http, contract.deleteCalendarAudio, async ({ member }) => {
    await removeAudio(context, { by: member.id, at: clock.now() });
  });
}
