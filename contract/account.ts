import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";

const minute = 60;

/** Everything that is stored about oneself, as one JSON document to keep. */
export const exportAccount = endpoint({
  method: "GET",
  path: "/api/user/export",
  who: "member",
  rate: { per: "member", limit: 10, seconds: minute },
  maxBody: 0,
  media: "application/json; charset=utf-8",
});

/** One's own beers as a table for a spreadsheet. */
export const exportBeers = endpoint({
  method: "GET",
  path: "/api/user/export/beers",
  who: "member",
  rate: { per: "member", limit: 10, seconds: minute },
  maxBody: 0,
  media: "text/csv; charset=utf-8",
});

/** What becomes of a leaving member's beers: they stay in the group's counts, or go from every one of them. */
export const beersOnDeletion = ["keep", "remove"] as const;
export type BeersOnDeletion = (typeof beersOnDeletion)[number];

/** Takes one's own account away for good. The own `uname` is typed once more, so that nobody does it by mistake. */
export const deleteAccount = endpoint({
  method: "POST",
  path: "/api/user/delete",
  who: "member",
  rate: { per: "member", limit: 5, seconds: minute },
  maxBody: 2048,
  body: z.object({
    uname: z.string().check(z.minLength(1)),
    password: z.string().check(z.minLength(1)),
    beers: z.enum(beersOnDeletion),
  }),
  reply: z.object({ message: z.string() }),
});
