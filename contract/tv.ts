import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { pictureId } from "./fields.ts";
import { milestone } from "./milestones.ts";

/** The header with the token of a TV link: 256 bits, base64url. */
export const tvTokenHeader = "TV-Token";

/** Number of the last taps that a television shows. */
export const maxTvTaps = 10;

/** Everything a television shows, and all that its link gives access to. Times in ISO 8601. */
export const tvScreen = z.object({
  group_name: z.string(),
  group_short: z.string(),
  total: z.int(),
  /** Those who drank most first. */
  drinkers: z.array(z.object({ id: z.int(), name: z.string(), avatarId: z.nullable(z.string()), count: z.int() })),
  /** The newest first. */
  taps: z.array(z.object({ id: z.int(), name: z.string(), avatarId: z.nullable(z.string()), at: z.string() })),
  /** The latest one. */
  milestone: z.nullable(z.extend(milestone, { id: z.int(), at: z.string() })),
});
export type TvScreen = z.output<typeof tvScreen>;

/** 401 without the token of a link. `version` is that of the screen which this television shows already. */
export const getTvScreen = endpoint("GET /api/tv", {
  who: "everyone",
  // Twice of what five televisions behind one address need, each asking every two seconds.
  perMinute: 300,
  query: z.object({ version: z.optional(z.string()) }),
  reply: z.object({
    /** The server's time; the clocks of televisions are often wrong. */
    now: z.string(),
    version: z.string(),
    /** Null if it has not changed. */
    screen: z.nullable(tvScreen),
  }),
});

/** The picture of a member on the screen, with the same token. */
export const getTvPicture = endpoint("GET /api/tv/pictures/:id", {
  who: "everyone",
  perMinute: 600,
  params: z.object({ id: pictureId }),
  media: "image/png",
});
