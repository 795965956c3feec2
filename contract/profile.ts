import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage, pictureId } from "./fields.ts";
import { field } from "./labels.ts";
import { email, memberName, newPassword, passwordConfirmation, uname } from "./member-fields.ts";
import { user } from "./members.ts";
import { megabytes } from "./sizes.ts";

/**
 * Limits of profile pictures (PNG or JPEG). `side`: width and height in pixels, which must be
 * equal; `perMember`: pictures per member.
 */
export const avatarLimits = { fileBytes: 5120 * 1024, side: 1000, perMember: 20 } as const;

/** Fields of the profile form. */
export const accountFields = ["uname", "name", "email"] as const;

/**
 * Saves the fields named in `changed`, by default all. Other fields are not saved, because the page
 * may show stale values of them.
 */
export const updateProfile = endpoint("POST /api/user/update", {
  who: "member",
  perMinute: 20,
  maxBody: 8192,
  body: z.object({
    uname,
    name: memberName,
    email,
    changed: field("Geänderte Felder", z._default(z.array(z.enum(accountFields)), [...accountFields])),
  }),
  reply: z.object({ data: user }),
});

export const changePassword = endpoint("POST /api/user/changePassword", {
  who: "member",
  needsRecentPassword: true,
  perMinute: 5,
  maxBody: 4096,
  body: z.object({ password: newPassword, password_confirmation: passwordConfirmation }),
  reply: fixedMessage("Passwort aktualisiert."),
});

/**
 * A session of the requesting member. `device`: browser and system as text; times in ISO 8601;
 * `current`: the session of this request.
 */
export const device = z.object({
  id: z.string(),
  device: z.string(),
  created_at: z.string(),
  last_seen_at: z.string(),
  current: z.boolean(),
});
export type Device = z.output<typeof device>;

export const getDevices = endpoint("GET /api/user/sessions", {
  who: "member",
  reply: z.array(device),
});

/** Ends a session of the requesting member; 404 for other members' sessions. */
export const endDevice = endpoint("DELETE /api/user/sessions/:id", {
  who: "member",
  params: z.object({ id: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  reply: fixedMessage("Gerät abgemeldet."),
});

/** Ends all sessions of the requesting member except the one of this request. */
export const endOtherDevices = endpoint("DELETE /api/user/sessions", {
  who: "member",
  needsRecentPassword: true,
  reply: fixedMessage("Alle anderen Geräte sind abgemeldet."),
});

/**
 * Uploads a profile picture. Its type is detected from its content; the file's name and declared
 * type are ignored.
 */
export const uploadPicture = endpoint("POST /api/images/avatar", {
  who: "member",
  perMinute: 10,
  maxBody: megabytes(5.25),
  file: { field: "avatar", label: "Profilbild", maxBytes: avatarLimits.fileBytes, isLimitInKilobytes: true },
  reply: z.extend(fixedMessage("Profilbild hochgeladen."), { id: z.string() }),
  status: 201,
});

/** Returns the requesting member's pictures, newest first. */
export const getPictures = endpoint("GET /api/user/avatars", {
  who: "member",
  reply: z.array(z.object({ id: z.string() })),
});

/** Chooses the picture that members see; `null` chooses the default picture. */
export const choosePicture = endpoint("POST /api/user/avatar", {
  who: "member",
  body: z.object({ id: field("Profilbild", z.nullable(z.string())) }),
  reply: fixedMessage("Profilbild erfolgreich geändert."),
});

/**
 * Deletes a picture of the requesting member; 404 for other members' pictures. The default picture
 * replaces a deleted chosen picture.
 */
export const deletePicture = endpoint("DELETE /api/user/avatars/:id", {
  who: "member",
  params: z.object({ id: pictureId }),
  reply: fixedMessage("Profilbild gelöscht."),
});
