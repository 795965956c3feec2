import * as z from "zod/mini";

import { ownDoor } from "./christmas-calendar.ts";
import { endpoint } from "./endpoint.ts";
import { message, numberBetween, rowId } from "./fields.ts";
import { field } from "./labels.ts";
import { listedMember } from "./members.ts";

const date = field("Türchen", z.string().check(z.regex(/^2[01]\d\d-12-(0[1-9]|1\d|2[0-4])$/)));
const year = field("Jahr", numberBetween({ min: 2000, max: 2199 }));

export const ownDoors = z.object({
  /** Today by the server's clock, `YYYY-MM-DD`. */
  today: z.string(),
  doors: z.array(ownDoor),
  /**
   * A German sentence on the counter page about today's door until the member opens it, then about
   * swap offers or the member's empty doors; `null` without any.
   */
  line: z.nullable(z.string()),
  /** `true` if the line is about the member's empty doors. */
  is_line_reminder: z._default(z.boolean(), false),
  /** Dates of doors that the lottery assigned to the member and that no page has shown yet. */
  drawn: z.array(z.string()),
  /** Dates of the member's empty doors whose reminder is due but has not been shown in the app. */
  reminders: z.array(z.string()),
  /** Swap offers from other members, each for one of the requesting member's doors. */
  offers: z.array(z.object({ id: z.int(), date: z.string(), by: listedMember })),
  /** Swap offers that the requesting member made. */
  own_offers: z.array(z.object({ id: z.int(), date: z.string(), to: listedMember })),
});
export type OwnDoors = z.output<typeof ownDoors>;

/** Returns the requesting member's doors, newly assigned doors, due reminders and swap offers. */
export const getOwnDoors = endpoint("GET /api/christmas-calendar/own-doors", {
  who: "member",
  perMinute: 600,
  reply: ownDoors,
});

/** Marks the requesting member's newly assigned doors and due reminders as shown. */
export const markOwnDoorsSeen = endpoint("POST /api/christmas-calendar/own-doors-seen", { who: "member", status: 204 });

/**
 * Returns the members who can be asked for a swap: those who are not hidden and own a door whose
 * day has not begun.
 */
export const getSwapPartners = endpoint("GET /api/christmas-calendar/swap-partners", {
  who: "member",
  reply: z.array(listedMember),
});
export type SwapPartner = z.output<typeof listedMember>;

/**
 * Offers a door of the requesting member to another member, who accepts by picking a door in
 * exchange. A door can be offered to only one member at a time.
 */
export const offerSwap = endpoint("POST /api/christmas-calendar/swaps", {
  who: "member",
  perMinute: 10,
  perDay: 20,
  body: z.object({ date, member_id: field("Mitglied", z.int()) }),
  reply: message,
  status: 201,
});

/**
 * Accepts an offer: exchanges the offered door for the requesting member's door of `date`. Each
 * member's picture moves to that member's new door.
 */
export const acceptSwap = endpoint("POST /api/christmas-calendar/swaps/:id", {
  who: "member",
  params: z.object({ id: rowId }),
  body: z.object({ date }),
  reply: message,
});

/** Withdraws an offer of the requesting member, or declines another member's offer. */
export const endSwap = endpoint("DELETE /api/christmas-calendar/swaps/:id", {
  who: "member",
  params: z.object({ id: rowId }),
  reply: message,
});

/**
 * Assigns the free doors of a year evenly to the members. A door is free if its day has not begun
 * and it has neither a picture nor an enabled owner.
 */
export const dealCalendarDoors = endpoint("POST /api/admin/calendar/lottery", {
  who: ["admin"],
  perMinute: 120,
  body: z.object({ year }),
  reply: message,
});

/** The lottery runs of a year, for administrators. */
export const calendarDealings = z.object({
  /**
   * Lottery runs, newest first. `seed`: 128 bits in hexadecimal that determine the result. `left`:
   * `true` if the run reassigned the doors of a member whose account was disabled or deleted.
   */
  dealings: z.array(z.object({ at: z.string(), seed: z.string(), doors: z.int(), left: z.boolean() })),
  /** Members without a door; empty if no door of the year was assigned yet. */
  without: z.array(listedMember),
  /** Number of doors that another lottery run would assign or move. */
  changes: z.int(),
});
export type CalendarDealings = z.output<typeof calendarDealings>;

export const getCalendarDealings = endpoint("GET /api/admin/calendar/lottery", {
  who: ["admin"],
  query: z.object({ year: field("Jahr", z.string().check(z.regex(/^2[01]\d\d$/))) }),
  reply: calendarDealings,
});

/** `count`: number of `doors`, which a surprised administrator does not get. */
const dealingPreview = z.object({
  id: z.int(),
  count: z._default(z.int(), 0),
  doors: z.array(z.object({ date: z.string(), to: listedMember, from: z.nullable(listedMember) })),
});
export type DealingPreview = z.output<typeof dealingPreview>;

/**
 * Previews another lottery run, which assigns the free doors and moves empty doors from the members
 * with the most doors to those with the fewest. Returns the same preview until the doors or members
 * change.
 */
export const previewDealing = endpoint("POST /api/admin/calendar/lottery/preview", {
  who: ["admin"],
  body: z.object({ year }),
  reply: dealingPreview,
});

/**
 * Applies a previewed lottery run unchanged; 409 if the doors or members have changed since the
 * preview.
 */
export const applyDealing = endpoint("POST /api/admin/calendar/lottery/preview/:id", {
  who: ["admin"],
  params: z.object({ id: rowId }),
  reply: message,
});
