import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { readableText, wholeNumberId } from "./fields.ts";

const minute = 60;

/** A television's link without its token, which is shown once, when it is made. Times in ISO 8601. */
export const tvLink = z.object({
  id: z.int(),
  name: z.string(),
  /** Null: somebody who has left. */
  by: z.nullable(z.string()),
  created_at: z.string(),
  /** To the minute; null: never yet. */
  last_used_at: z.nullable(z.string()),
});
export type TvLink = z.output<typeof tvLink>;

/** The newest first. */
export const getTvLinks = endpoint({
  method: "GET",
  path: "/api/admin/tv",
  who: ["admin"],
  rate: { per: "member", limit: 120, seconds: minute },
  maxBody: 0,
  reply: z.array(tvLink),
});

/** The link is told here and never again. */
export const makeTvLink = endpoint({
  method: "POST",
  path: "/api/admin/tv",
  who: ["admin"],
  rate: { per: "member", limit: 30, seconds: minute },
  maxBody: 1024,
  body: z.object({ name: readableText(32) }),
  reply: z.object({ id: z.int(), url: z.string() }),
  status: 201,
});

/** Whatever was opened with it shows nothing any more, within seconds. */
export const revokeTvLink = endpoint({
  method: "DELETE",
  path: "/api/admin/tv/:id",
  who: ["admin"],
  rate: { per: "member", limit: 60, seconds: minute },
  maxBody: 1024,
  accepts: "ignored",
  params: z.object({ id: wholeNumberId }),
  reply: z.object({ message: z.string() }),
});
