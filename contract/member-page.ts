import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { rowId } from "./fields.ts";

/** Maximum number of round beers and of parties on a member page. */
export const memberPageLimits = { roundBeers: 6, parties: 5 } as const;

/** A date in the group's time zone, `YYYY-MM-DD`. */
const day = z.iso.date();

const roundBeer = z.object({ count: z.int(), day });
export type RoundBeer = z.output<typeof roundBeer>;

/** A party that the member took part in. Times in ISO 8601. */
const attendedParty = z.object({
  id: z.int(),
  name: z.string(),
  starts_at: z.string(),
  is_running: z.boolean(),
  /** Number of the member's beers at this party. */
  own_total: z.int(),
});
export type AttendedParty = z.output<typeof attendedParty>;

/**
 * A calendar door assigned to the member. Other members see only filled doors that they have opened
 * and whose picture shows the member's name.
 */
const memberDoor = z.object({ date: day, is_filled: z.boolean() });
export type MemberDoor = z.output<typeof memberDoor>;

export const memberPage = z.object({
  id: z.int(),
  name: z.string(),
  profile_picture: z.nullable(z.string()),
  /** Today by the server's clock. */
  today: day,
  /**
   * Number of the member's beers today, this week since Monday, this calendar year, and in total.
   */
  beers: z.object({ today: z.int(), week: z.int(), year: z.int(), total: z.int() }),
  /** The first beer and the newest milestones of the member, earliest first. */
  round_beers: z.array(roundBeer),
  /** The newest parties that the member took part in, newest first. */
  parties: z.array(attendedParty),
  /** Number of all parties that the member took part in. */
  party_count: z.int(),
  calendar: z.object({
    year: z.int(),
    doors: z.array(memberDoor),
    /** Number of doors that the member has opened; `null` if another member requests the page. */
    opened: z.nullable(z.int()),
  }),
});
export type MemberPage = z.output<typeof memberPage>;

/**
 * Returns the page of a member. 404 if the id is unknown, and if the member is disabled or not visible,
 * so that the reply does not reveal which.
 */
export const getMemberPage = endpoint("GET /api/members/:id/page", {
  who: "member",
  perMinute: 600,
  params: z.object({ id: rowId }),
  reply: memberPage,
});
