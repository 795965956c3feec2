import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage, pictureId, rowId } from "./fields.ts";
import { field } from "./labels.ts";
import { megabytes } from "./sizes.ts";

/** A photo of the table. Each member who was at the party can put up one. */
export const partyPhoto = z.object({
  id: pictureId,
  /** `null` if the member is disabled or not visible. */
  by: z.nullable(z.string()),
  is_own: z.boolean(),
  /** `true` if it is the requesting member's own and in that member's year review. */
  is_in_review: z.boolean(),
});
export type PartyPhoto = z.output<typeof partyPhoto>;

const params = z.object({ id: rowId });

/** Puts up the requesting member's photo (JPEG or PNG) and replaces the previous one. */
export const putUpPhoto = endpoint("POST /api/parties/:id/photo", {
  who: "member",
  perMinute: 10,
  perDay: 100,
  params,
  file: { field: "picture", label: "Foto", maxBytes: megabytes(5) },
  reply: fixedMessage("Dein Foto hängt. Es sieht nur, wer dabei war."),
  status: 201,
});

export const takeDownPhoto = endpoint("DELETE /api/parties/:id/photo", {
  who: "member",
  params,
  reply: fixedMessage("Dein Foto ist weg."),
});

/** Shows or hides the requesting member's photo in that member's own year review. */
export const choosePhotoForReview = endpoint("POST /api/parties/:id/photo/review", {
  who: "member",
  params,
  body: z.object({ is_in_review: field("Im Jahresrückblick", z.boolean()) }),
  reply: fixedMessage("Gespeichert."),
});

/** Switches the photos of a party, and the call for them, on or off. Photos that are up remain. */
export const switchPhotos = endpoint("POST /api/parties/:id/photos", {
  who: "member",
  params,
  body: z.object({ is_on: field("Tischfoto", z.boolean()) }),
  reply: fixedMessage("Gespeichert."),
});

/** Returns a photo to those who were at its party. `?size=phone` returns half the width. */
export const getPartyPhoto = endpoint("GET /internal/images/party/:id", {
  who: "member",
  perMinute: 600,
  params: z.object({ id: pictureId }),
  query: z.object({ size: field("Größe", z.optional(z.enum(["phone", "screen"]))) }),
  media: "image/webp",
});

export function photoUrl(id: string, size: "phone" | "screen"): string {
  return `/internal/images/party/${id}?size=${size}`;
}
