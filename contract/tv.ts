import * as z from "zod/mini";

import { beerKind } from "./beercounter.ts";
import { endpoint } from "./endpoint.ts";
import { fixedMessage, pictureId, readableText, requiredText, rowId } from "./fields.ts";
import { field } from "./labels.ts";
import { listedMember } from "./members.ts";
import { milestone } from "./milestones.ts";

/** A `tablet` books beers (contract/tablet.ts); a `tv` only shows them. */
export const tvScope = z.enum(["tv", "tablet"]);
export type TvScope = z.output<typeof tvScope>;

/** Request header with the token of a TV link, 256 random bits in base64url. */
export const tvTokenHeader = "TV-Token";

/** Maximum number of taps listed on a TV. */
export const maxTvTaps = 10;

/** Lifetime of a pairing code in milliseconds. */
export const tvCodeLifetime = 10 * 60_000;

/** Characters of a pairing code; similar ones such as O and 0 are left out. */
export const tvCodeAlphabet = "ACDEFGHJKMNPRTWXY34679";
export const tvCodeLength = 6;

/** Normalizes a typed pairing code: upper case, without blanks and hyphens. */
export function normalizeTvCode(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, "");
}

const tvDrinker = z.extend(listedMember, { count: z.int(), is_guest: z.optional(z.literal(true)) });
export type TvDrinker = z.output<typeof tvDrinker>;

/**
 * A running party. `others`: number of party members who are not named; `total` includes their
 * beers and those of guests. `guest_taps`: the newest beers of guests, newest first.
 */
const tvParty = z.object({
  id: z.int(),
  name: z.string(),
  total: z.int(),
  guest_total: z._default(z.int(), 0),
  guest_taps: z._default(z.array(z.object({ id: z.int(), name: z.string(), at: z.string() })), []),
  members: z.array(listedMember),
  others: z.int(),
  /** The party's ranking with its guests and with members who have gone home. */
  drinkers: z._default(z.array(tvDrinker), []),
});
export type TvParty = z.output<typeof tvParty>;

/**
 * The live view of the counter, the only data that a TV link gives access to. Times in ISO 8601.
 */
export const tvScreen = z.object({
  group_name: z.string(),
  group_short: z.string(),
  /** Number of all beers of the group. */
  total: z.int(),
  /**
   * Number of beers since the last 6:00 in the morning; `null` from a server of the previous
   * version.
   */
  tonight: z._default(z.nullable(z.int()), null),
  /**
   * Running parties, those with the most beers first; of parties with equally many beers, the
   * newest first.
   */
  parties: z._default(z.array(tvParty), []),
  /** The drinkers with the most beers, in descending order. */
  drinkers: z.array(tvDrinker),
  /** The last taps, newest first. */
  taps: z.array(z.extend(listedMember, { at: z.string(), kind: z._default(beerKind, null) })),
  /** The group's latest milestone; `null` before the first one. */
  milestone: z.nullable(z.extend(milestone, { id: z.int(), at: z.string() })),
});
export type TvScreen = z.output<typeof tvScreen>;

/**
 * Returns the live view; 401 without the token of a TV link. `version`: a hash of the live view
 * that the TV already shows.
 */
export const getTvScreen = endpoint("GET /api/tv", {
  who: "everyone",
  // Twice as many as five TVs behind one address need, each polling every two seconds.
  perMinute: 300,
  query: z.object({ version: z.optional(z.string()) }),
  reply: z.object({
    /** The server's time, because the clocks of TVs are often wrong. */
    now: z.string(),
    version: z.string(),
    /** `null` if the TV already shows this version of the live view. */
    screen: z.nullable(tvScreen),
  }),
});

/** Returns a member's picture that the TV or tablet shows; requires the token of the TV link. */
export const getTvPicture = endpoint("GET /api/tv/pictures/:id", {
  who: "everyone",
  perMinute: 600,
  params: z.object({ id: pictureId }),
  media: "image/png",
});

/**
 * Creates a pairing code for the requesting TV. `secret` (256 random bits in base64url) becomes the
 * TV's token when a member enters the code. The code alone gives access to nothing.
 */
export const makeTvCode = endpoint("POST /api/tv/code", {
  who: "everyone",
  // Enough for ten TVs in one network, each with three codes in ten minutes.
  rate: { per: "network", limit: 30, seconds: 600 },
  reply: z.object({
    secret: z.string(),
    code: z.string(),
    /** A duration, because the clocks of TVs are often wrong. */
    expires_in_seconds: z.int(),
  }),
  status: 201,
});

/**
 * Returns the state of the pairing code that belongs to the secret in the header `TV-Token`; 404
 * for an unknown secret.
 */
export const getTvCode = endpoint("GET /api/tv/code", {
  who: "everyone",
  perMinute: 300,
  reply: z.object({
    state: z.enum(["waiting", "paired", "expired"]),
    /** Present once paired. */
    scope: z.optional(tvScope),
  }),
});

/**
 * A TV link without its token, which is only in the reply to its creation. It ends after 180 days
 * without use. Times in ISO 8601.
 */
export const tvLink = z.object({
  id: z.int(),
  name: z.string(),
  scope: z._default(tvScope, "tv"),
  /**
   * Name of the member who created the link; `null` if that member is unknown. Deleting the
   * member's account also deletes the link.
   */
  by: z.nullable(z.string()),
  created_at: z.string(),
  /** Time of the last use, rounded to the minute; `null` before the first use. */
  last_used_at: z.nullable(z.string()),
});
export type TvLink = z.output<typeof tvLink>;

/** Returns the TV links, newest first. */
export const getTvLinks = endpoint("GET /api/admin/tv", {
  who: ["admin"],
  reply: z.array(tvLink),
});

/** Creates a TV link; only this reply contains it. */
export const makeTvLink = endpoint("POST /api/admin/tv", {
  who: ["admin"],
  needsRecentPassword: true,
  body: z.object({ name: field("Name", readableText(32)) }),
  reply: z.object({ id: z.int(), url: z.string() }),
  status: 201,
});

const codePattern = new RegExp(`^[${tvCodeAlphabet}]{${tvCodeLength}}$`);

const typedCode = z.pipe(
  requiredText,
  z.pipe(z.transform(normalizeTvCode), z.string().check(z.refine((code) => codePattern.test(code), "wrongCode"))),
);

/**
 * Pairs the TV or, as an administrator, the tablet that shows the code. The reply omits the token, because the device
 * already has it as its `secret`. The path is that of release 1.0.0, in which only administrators paired TVs.
 */
export const pairTv = endpoint("POST /api/admin/tv-code", {
  who: "member",
  needsRecentPassword: true,
  body: z.object({
    code: field("Code", typedCode),
    name: field("Name", readableText(32)),
    scope: field("Art", z._default(tvScope, "tv")),
  }),
  reply: z.object({ id: z.int(), message: z.string() }),
  status: 201,
});

/** Revokes a TV link; within seconds, TVs that use it no longer show the live view. */
export const revokeTvLink = endpoint("DELETE /api/admin/tv/:id", {
  who: ["admin"],
  perMinute: 60,
  params: z.object({ id: rowId }),
  reply: fixedMessage("Link zurückgezogen."),
});
