import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage, pictureId } from "./fields.ts";
import { field } from "./labels.ts";
import { email, memberName, newPassword, passwordConfirmation, uname } from "./member-fields.ts";
import { user } from "./members.ts";

/** Limits of uploaded pictures: one square PNG or JPEG, with a side in pixels. */
export const avatarLimits = { fileBytes: 5120 * 1024, side: 1000, perMember: 20 } as const;

/** The fields of the profile form. */
export const accountFields = ["uname", "name", "email"] as const;

/** Saves the fields in `changed`, all if it is missing; the page may show stale values of the others. */
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

/** A session as its owner sees it: browser and system as text, times in ISO 8601; `current`: the session of this request. */
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

/** Ends an own session; 404 for any other. */
export const endDevice = endpoint("DELETE /api/user/sessions/:id", {
  who: "member",
  params: z.object({ id: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  reply: fixedMessage("Gerät abgemeldet."),
});

/** Ends all own sessions except this one. */
export const endOtherDevices = endpoint("DELETE /api/user/sessions", {
  who: "member",
  needsRecentPassword: true,
  reply: fixedMessage("Alle anderen Geräte sind abgemeldet."),
});

/** Uploads a picture. Its type is detected from its content; name and declared type are ignored. */
export const uploadPicture = endpoint("POST /api/images/avatar", {
  who: "member",
  perMinute: 10,
  maxBody: 5.25 * 1024 * 1024,
  file: { field: "avatar", label: "Profilbild", maxBytes: avatarLimits.fileBytes },
  reply: z.extend(fixedMessage("Profilbild hochgeladen."), { id: z.string() }),
  status: 201,
});

/** The member's own pictures, newest first. */
export const getPictures = endpoint("GET /api/user/avatars", {
  who: "member",
  reply: z.array(z.object({ id: z.string() })),
});

/** Chooses the visible picture; `null`: the default picture. */
export const choosePicture = endpoint("POST /api/user/avatar", {
  who: "member",
  body: z.object({ id: field("Profilbild", z.nullable(z.string())) }),
  reply: fixedMessage("Profilbild erfolgreich geändert."),
});

/** Deletes an own picture; 404 for any other. Without it the default picture is shown. */
export const deletePicture = endpoint("DELETE /api/user/avatars/:id", {
  who: "member",
  params: z.object({ id: pictureId }),
  reply: fixedMessage("Profilbild gelöscht."),
});
