import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";

/** What every page needs to know of this installation before anybody logs in. */
export const groupConfig = z.object({
  group_name: z.string(),
  group_short: z.string(),
  /** The zone that days and weeks are computed in. */
  time_zone: z.string(),
  legal_links: z.array(z.object({ label: z.string(), url: z.string() })),
  /** Whom the height calculator thanks where the member behind it is not known. */
  height_requested_by: z.string(),
  /** Null until web push is set up. */
  vapid_public_key: z.nullable(z.string()),
  /** Whether this server can send mail. */
  mail: z.boolean(),
  /** Null hosts mean the page's own. */
  realtime: z.object({
    key: z.string(),
    cluster: z.string(),
    wsHost: z.nullable(z.string()),
    wsPort: z.nullable(z.int()),
    wssPort: z.nullable(z.int()),
    forceTLS: z.boolean(),
  }),
});
export type GroupConfig = z.output<typeof groupConfig>;

export const getGroupConfig = endpoint("GET /api/config", {
  who: "everyone",
  reply: groupConfig,
});
