import * as z from "zod/mini";

/**
 * A beer drunk at the party. `name` is `null` for guests and for quiet, hidden, disabled or former
 * members.
 */
const recapBeer = z.object({ at: z.string(), name: z.nullable(z.string()) });

/** The summary of a finished party. Times in ISO 8601. */
export const partyRecap = z.object({
  /** Beers per quarter of an hour, from the start of the party or an earlier beer until the last beer. */
  quarters: z.array(z.object({ at: z.string(), total: z.int(), guest_total: z._default(z.int(), 0) })),
  /**
   * The earliest of the quarters with the most beers; `null` if every quarter has at most one beer.
   */
  busiest: z.nullable(
    z.object({ from: z.string(), to: z.string(), total: z.int(), guest_total: z._default(z.int(), 0) }),
  ),
  first: recapBeer,
  last: recapBeer,
  /** The party's last round beer, e.g. its 25th; `null` below the first. */
  round: z._default(z.nullable(z.extend(recapBeer, { count: z.int() })), null),
});
export type PartyRecap = z.output<typeof partyRecap>;
