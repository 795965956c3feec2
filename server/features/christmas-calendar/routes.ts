import {
  getCalendarAudio,
  getCalendarPicture,
  getOpenedImages,
  openDoor as openDoorEndpoint,
} from "#contract/christmas-calendar.ts";
import { handle } from "#server/platform/http/handle.ts";
import { sendSpan } from "#server/platform/http/ranges.ts";
import { refuse } from "#server/platform/http/refuse.ts";
import type { Platform } from "#server/platform/platform.ts";
import { lookAtDoors, openDoor, openJukebox } from "./actions.ts";
import { findOpenedPicture } from "./store.ts";

export function addChristmasCalendarRoutes(platform: Platform): void {
  const { door, db } = platform;
  const findMusic = openJukebox(db);

  handle(door, getOpenedImages, ({ member, query: { year } }) =>
    lookAtDoors(platform, member.id, year === undefined ? null : Number(year)),
  );

  handle(door, openDoorEndpoint, ({ member, params }) => openDoor(platform, member.id, params.date));

  handle(door, getCalendarPicture, async ({ params: { id }, query, member, request, reply }) => {
    const size = query.size ?? "screen";
    const bytes = await findOpenedPicture(db, id, member.id, size);
    if (!bytes) throw refuse("M404");
    reply.headers({
      "cache-control": "private, max-age=31536000, immutable",
      "content-disposition": 'inline; filename="bild.webp"',
    });
    return sendSpan(request, reply, {
      size: bytes.length,
      tag: `${id}-${size}`,
      read: async ({ start, end }) => bytes.subarray(start, end + 1),
    });
  });

  handle(door, getCalendarAudio, async ({ request, reply }) => {
    const music = await findMusic();
    reply.header("cache-control", "private, max-age=3600").type(music.media);
    return sendSpan(request, reply, music);
  });
}
