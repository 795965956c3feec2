import { endpoint } from "./endpoint.ts";
import { fixedMessage } from "./fields.ts";
import { megabytes } from "./sizes.ts";

/** Maximum upload size of music (MP3, M4A or Ogg), in bytes. */
export const maxCalendarAudioBytes = megabytes(20);

/** Returns the uploaded music of the calendar page; supports range requests. */
export const getCalendarAudio = endpoint("GET /internal/audio/1", {
  who: "member",
  perMinute: 60,
  media: "audio/mpeg",
});

/** Replaces the music of the calendar page with an uploaded file. */
export const setCalendarAudio = endpoint("POST /api/admin/calendar/audio", {
  who: ["admin"],
  perMinute: 120,
  file: { field: "audio", label: "Musik", maxBytes: maxCalendarAudioBytes },
  reply: fixedMessage("Musik geändert."),
  status: 201,
});

/** Deletes the uploaded music, so that the built-in carol is played again. */
export const deleteCalendarAudio = endpoint("DELETE /api/admin/calendar/audio", {
  who: ["admin"],
  perMinute: 120,
  reply: fixedMessage("Es spielt wieder unsere Musik."),
});
