import {
  getCalendarAudio,
  getCalendarPicture,
  getOpenedImages,
  openDoor as openDoorEndpoint,
} from "#contract/christmas-calendar.ts";
import { handle } from "#server/platform/http/handle.ts";
import { sendRange } from "#server/platform/http/ranges.ts";
import { refuse } from "#server/platform/http/refusal.ts";
import type { Context } from "#server/platform/context.ts";
import { findOpenedImages, openDoor, createAudioSource } from "./actions.ts";
import { findOpenedPicture } from "./store.ts";

export function addChristmasCalendarRoutes(context: Context): void {
  const { http, db } = context;
  const findMusic = createAudioSource(db);

  handle(http, getOpenedImages, ({ member, query: { year } }) =>
    findOpenedImages(context, member.id, year === undefined ? null : Number(year)),
  );

  handle(http, openDoorEndpoint, ({ member, params }) => openDoor(context, member.id, params.date));

  handle(http, getCalendarPicture, async ({ params: { id }, query, member, request, reply }) => {
    const size = query.size ?? "screen";
    const bytes = await findOpenedPicture(db, id, member.id, size);
    if (!bytes) throw refuse("M404");
    reply.headers({
      "cache-control": "private, max-age=31536000, immutable",
      "content-disposition": 'inline; filename="bild.webp"',
    });
    return sendRange(request, reply, {
      size: bytes.length,
      tag: `${id}-${size}`,
      read: async ({ start, end }) => bytes.subarray(start, end + 1),
    });
  });

  handle(http, getCalendarAudio, async ({ request, reply }) => {
    const music = await findMusic();
    reply.header("cache-control", "private, max-age=3600").type(music.media);
    return sendRange(request, reply, music);
  });
}
