import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { email, memberName, newPassword, pictureId, uname } from "./fields.ts";
import { user } from "./members.ts";

const message = z.object({ message: z.string() });
const minute = 60;

/** A picture as it is uploaded: one file, a square PNG or JPEG. */
export const avatarLimits = { fileBytes: 5120 * 1024, side: 1000, perMember: 20 } as const;

export const updateProfile = endpoint({
  method: "POST",
  path: "/api/user/update",
  who: "member",
  rate: { per: "member", limit: 20, seconds: minute },
  maxBody: 8192,
  body: z.object({ uname, name: memberName, email }),
  reply: z.object({ data: user }),
});

/** Answers 423 unless the password was entered in this session within the last three hours. */
export const changePassword = endpoint({
  method: "POST",
  path: "/api/user/changePassword",
  who: "member",
  rate: { per: "member", limit: 5, seconds: minute },
  maxBody: 4096,
  body: z.object({ password: newPassword, password_confirmation: z._default(z.string(), "") }),
  reply: message,
});

/** Enters the current password once more; the session goes on under a new id. */
export const confirmPassword = endpoint({
  method: "POST",
  path: "/api/user/confirmPassword",
  who: "member",
  rate: { per: "member", limit: 5, seconds: minute },
  maxBody: 2048,
  body: z.object({ password: z.string().check(z.minLength(1)) }),
  reply: message,
});

/** A device that is logged in: browser and system in words, times in ISO 8601, and whether it is the one that asks. */
export const device = z.object({
  id: z.string(),
  device: z.string(),
  created_at: z.string(),
  last_seen_at: z.string(),
  current: z.boolean(),
});
export type Device = z.output<typeof device>;

export const getDevices = endpoint({
  method: "GET",
  path: "/api/user/sessions",
  who: "member",
  rate: { per: "member", limit: 120, seconds: minute },
  maxBody: 0,
  reply: z.array(device),
});

/** Ends one of one's own sessions; 404 for any other. */
export const endDevice = endpoint({
  method: "DELETE",
  path: "/api/user/sessions/:id",
  who: "member",
  rate: { per: "member", limit: 30, seconds: minute },
  maxBody: 1024,
  accepts: "ignored",
  params: z.object({ id: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  reply: message,
});

/** Ends all of one's own sessions but this one. */
export const endOtherDevices = endpoint({
  method: "DELETE",
  path: "/api/user/sessions",
  who: "member",
  rate: { per: "member", limit: 30, seconds: minute },
  maxBody: 1024,
  accepts: "ignored",
  reply: message,
});

/** What the file is decides its content, never its name or the type it claims. */
export const uploadPicture = endpoint({
  method: "POST",
  path: "/api/images/avatar",
  who: "member",
  rate: { per: "member", limit: 10, seconds: minute },
  maxBody: 5.25 * 1024 * 1024,
  accepts: "multipart",
  fileField: "avatar",
  maxFile: avatarLimits.fileBytes,
  reply: z.object({ message: z.string(), id: z.string() }),
  status: 201,
});

/** One's own pictures, the newest first. */
export const getPictures = endpoint({
  method: "GET",
  path: "/api/user/avatars",
  who: "member",
  rate: { per: "member", limit: 120, seconds: minute },
  maxBody: 0,
  reply: z.array(z.object({ id: z.string() })),
});

/** Shows one of one's own pictures to the others; null: the default picture. */
export const choosePicture = endpoint({
  method: "POST",
  path: "/api/user/avatar",
  who: "member",
  rate: { per: "member", limit: 30, seconds: minute },
  maxBody: 1024,
  body: z.object({ id: z.nullable(z.string()) }),
  reply: message,
});

/** Deletes one of one's own pictures; 404 for any other. The default picture takes the place of the chosen one. */
export const deletePicture = endpoint({
  method: "DELETE",
  path: "/api/user/avatars/:id",
  who: "member",
  rate: { per: "member", limit: 30, seconds: minute },
  maxBody: 1024,
  accepts: "ignored",
  params: z.object({ id: pictureId }),
  reply: message,
});
