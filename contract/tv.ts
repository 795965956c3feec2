import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { pictureId } from "./fields.ts";
import { milestone } from "./milestones.ts";

/** The header that carries the token of a television's link: 256 bits, base64url. */
export const tvTokenHeader = "TV-Token";

/** How many of the last taps a television shows. */
export const maxTvTaps = 10;

/** Everything a television shows, and all that its link gives away. Times in ISO 8601; ids only tell rows apart. */
export const tvScreen = z.object({
  group_name: z.string(),
  group_short: z.string(),
  total: z.int(),
  /** Those who drank most first. */
  drinkers: z.array(z.object({ id: z.int(), name: z.string(), avatarId: z.nullable(z.string()), count: z.int() })),
  /** What was drunk last, first. */
  taps: z.array(z.object({ id: z.int(), name: z.string(), avatarId: z.nullable(z.string()), at: z.string() })),
  /** The latest one. */
  milestone: z.nullable(z.extend(milestone, { id: z.int(), at: z.string() })),
});
export type TvScreen = z.output<typeof tvScreen>;

/** 401 without the token of a link, unknown or revoked. `version` is what this television shows already, if anything. */
export const getTvScreen = endpoint("GET /api/tv", {
  who: "everyone",
  // Five televisions behind one address, each asking every two seconds, with as much again to spare.
  perMinute: 300,
  query: z.object({ version: z.optional(z.string()) }),
  reply: z.object({
    /** The server's clock: televisions' own are often wrong. */
    now: z.string(),
    version: z.string(),
    /** Null: the same as before. */
    screen: z.nullable(tvScreen),
  }),
});

/** The picture of somebody on the screen, for the same token. */
export const getTvPicture = endpoint("GET /api/tv/pictures/:id", {
  who: "everyone",
  perMinute: 600,
  params: z.object({ id: pictureId }),
  media: "image/png",
});
