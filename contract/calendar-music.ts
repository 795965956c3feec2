import { endpoint } from "./endpoint.ts";
import { fixedMessage } from "./fields.ts";

/** Largest upload of music (MP3, M4A or Ogg), in bytes. */
export const maxCalendarAudioBytes = 20 * 1024 * 1024;

/** The music of the calendar page; supports range requests. */
export const getCalendarAudio = endpoint("GET /internal/audio/1", {
  who: "member",
  perMinute: 60,
  media: "audio/mpeg",
});

/** Replaces the music of the calendar page. */
export const setCalendarAudio = endpoint("POST /api/admin/calendar/audio", {
  who: ["admin"],
  perMinute: 120,
  file: { field: "audio", label: "Musik", maxBytes: maxCalendarAudioBytes },
  reply: fixedMessage("Musik geändert."),
  status: 201,
});

/** Restores the built-in carol. */
export const deleteCalendarAudio = endpoint("DELETE /api/admin/calendar/audio", {
  who: ["admin"],
  perMinute: 120,
  reply: fixedMessage("Es spielt wieder unsere Musik."),
});
