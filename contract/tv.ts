import * as z from "zod/mini";

import { beerKind } from "./beercounter.ts";
import { endpoint } from "./endpoint.ts";
import { pictureId } from "./fields.ts";
import { milestone } from "./milestones.ts";

/** The header with the token of a TV link: 256 bits, base64url. */
export const tvTokenHeader = "TV-Token";

/** Number of the last taps that a television shows. */
export const maxTvTaps = 10;

/** Lifetime of a code on a television, in ms. */
export const tvCodeLifetime = 10 * 60_000;

/** The characters of a code: none that looks like another one from a sofa. */
export const tvCodeAlphabet = "ACDEFGHJKMNPRTWXY34679";
export const tvCodeLength = 6;

/** A code in the form in which it was made, whatever the case, blanks and hyphens with which it was typed. */
export function normalizeTvCode(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, "");
}

/** A running party; `total` also counts the beers of the `others`, who are not named. */
const tvParty = z.object({
  id: z.int(),
  name: z.string(),
  total: z.int(),
  members: z.array(z.object({ id: z.int(), name: z.string(), avatarId: z.nullable(z.string()) })),
  others: z.int(),
});
export type TvParty = z.output<typeof tvParty>;

/** Everything a television shows, and all that its link gives access to. Times in ISO 8601. */
export const tvScreen = z.object({
  group_name: z.string(),
  group_short: z.string(),
  /** All beers of the group. */
  total: z.int(),
  /** Beers since six in the morning; null from a server of the previous version. */
  tonight: z._default(z.nullable(z.int()), null),
  /** The running parties with the most beers first, of equal ones the newest. */
  parties: z._default(z.array(tvParty), []),
  /** Those who drank most first. */
  drinkers: z.array(z.object({ id: z.int(), name: z.string(), avatarId: z.nullable(z.string()), count: z.int() })),
  /** The newest first. */
  taps: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      avatarId: z.nullable(z.string()),
      at: z.string(),
      kind: z._default(beerKind, null),
    }),
  ),
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

/**
 * Makes a code for this television. `secret` is its own, 256 bits in base64url: once an administrator has entered the code, it is
 * the token of the television's link. The code alone gives access to nothing.
 */
export const makeTvCode = endpoint("POST /api/tv/code", {
  who: "everyone",
  // Three codes each for ten televisions behind one address.
  rate: { per: "ip", limit: 30, seconds: 600 },
  reply: z.object({
    secret: z.string(),
    code: z.string(),
    /** The clocks of televisions are often wrong. */
    expires_in_seconds: z.int(),
  }),
  status: 201,
});

/** The state of the code that was made together with the secret in the header `TV-Token`; 404 for an unknown one. */
export const getTvCode = endpoint("GET /api/tv/code", {
  who: "everyone",
  perMinute: 300,
  reply: z.object({ state: z.enum(["waiting", "paired", "expired"]) }),
});
