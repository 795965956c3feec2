import * as z from "zod/mini";

import { ownDoor } from "./christmas-calendar.ts";
import { endpoint } from "./endpoint.ts";
import { message, numberBetween, rowId } from "./fields.ts";
import { field } from "./labels.ts";

const person = z.object({ id: z.int(), name: z.string(), avatarId: z.nullable(z.string()) });
const date = field("Türchen", z.string().check(z.regex(/^2[01]\d\d-12-(0[1-9]|1\d|2[0-4])$/)));
const year = field("Jahr", numberBetween({ min: 2000, max: 2199 }));

export const ownDoors = z.object({
  /** Today by the server's clock, `YYYY-MM-DD`. */
  today: z.string(),
  doors: z.array(ownDoor),
  /** A German sentence for the counter page about this member's open tasks; `null` without any. */
  line: z.nullable(z.string()),
  /** Doors dealt to this member that no page has shown yet. */
  drawn: z.array(z.string()),
  /** Empty doors with a due reminder that the app has not shown yet. */
  reminders: z.array(z.string()),
  /** Offers of other members, each for one of this member's doors. */
  offers: z.array(z.object({ id: z.int(), date: z.string(), by: person })),
  /** This member's own offers. */
  own_offers: z.array(z.object({ id: z.int(), date: z.string(), to: person })),
});
export type OwnDoors = z.output<typeof ownDoors>;

/** This member's own doors, dealt doors, reminders and swap offers. */
export const getOwnDoors = endpoint("GET /api/christmas-calendar/own-doors", {
  who: "member",
  perMinute: 600,
  reply: ownDoors,
});

/** Marks the dealt doors and due reminders as shown. */
export const markOwnDoorsSeen = endpoint("POST /api/christmas-calendar/own-doors-seen", { who: "member", status: 204 });

/** Members with a door before its day who can be asked for a swap, without paused members. */
export const getSwapPartners = endpoint("GET /api/christmas-calendar/swap-partners", {
  who: "member",
  reply: z.array(person),
});
export type SwapPartner = z.output<typeof person>;

/** Offers an own door to another member, who picks a door in exchange. A door is offered to one member at a time. */
export const offerSwap = endpoint("POST /api/christmas-calendar/swaps", {
  who: "member",
  perMinute: 10,
  perDay: 20,
  body: z.object({ date, member_id: field("Mitglied", z.int()) }),
  reply: message,
  status: 201,
});

/** Exchanges the own door of `date` for the offered one. Pictures stay with the members who hung them. */
export const acceptSwap = endpoint("POST /api/christmas-calendar/swaps/:id", {
  who: "member",
  params: z.object({ id: rowId }),
  body: z.object({ date }),
  reply: message,
});

/** Withdraws an own offer, or declines another member's. */
export const endSwap = endpoint("DELETE /api/christmas-calendar/swaps/:id", {
  who: "member",
  params: z.object({ id: rowId }),
  reply: message,
});

/** Deals evenly the doors of a year that are empty, closed and not assigned to an enabled member. */
export const dealCalendarDoors = endpoint("POST /api/admin/calendar/lottery", {
  who: ["admin"],
  perMinute: 120,
  body: z.object({ year }),
  reply: message,
});

/** The dealings of a year, for administrators. */
export const calendarDealings = z.object({
  /** Newest first. `seed`: 128 bits in hexadecimal that determine the dealing. `left`: it followed a member's leaving. */
  dealings: z.array(z.object({ at: z.string(), seed: z.string(), doors: z.int(), left: z.boolean() })),
  /** Members without a door, if the year is dealt. */
  without: z.array(person),
  /** Number of doors that a new dealing would assign or move. */
  changes: z.int(),
});
export type CalendarDealings = z.output<typeof calendarDealings>;

export const getCalendarDealings = endpoint("GET /api/admin/calendar/lottery", {
  who: ["admin"],
  query: z.object({ year: field("Jahr", z.string().check(z.regex(/^2[01]\d\d$/))) }),
  reply: calendarDealings,
});

const dealingPreview = z.object({
  id: z.int(),
  doors: z.array(z.object({ date: z.string(), to: person, from: z.nullable(person) })),
});
export type DealingPreview = z.output<typeof dealingPreview>;

/**
 * Previews dealing again: it deals free doors, and moves empty doors before their day from members with the most to those with the
 * fewest. Returns the same preview until the doors or the members change.
 */
export const previewDealing = endpoint("POST /api/admin/calendar/lottery/preview", {
  who: ["admin"],
  body: z.object({ year }),
  reply: dealingPreview,
});

/** Deals exactly as previewed; 409 if the doors or the members have changed since. */
export const applyDealing = endpoint("POST /api/admin/calendar/lottery/preview/:id", {
  who: ["admin"],
  params: z.object({ id: rowId }),
  reply: message,
});
