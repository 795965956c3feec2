import * as z from "zod/mini";

/** One beer of an evening. `name` is `null` if its drinker is a guest, paused, disabled or a former member. */
const recapBeer = z.object({ at: z.string(), name: z.nullable(z.string()) });

/** The recap of a party that is over; times in ISO 8601. */
export const partyRecap = z.object({
  /** The beers of every quarter of an hour from the start of the party to its last beer. */
  quarters: z.array(z.object({ at: z.string(), total: z.int() })),
  /** The first of the quarters with the most beers; `null` if each has at most one. */
  busiest: z.nullable(z.object({ from: z.string(), to: z.string(), total: z.int() })),
  first: recapBeer,
  last: recapBeer,
});
export type PartyRecap = z.output<typeof partyRecap>;
