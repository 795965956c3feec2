import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";

/** The checks of the command `doctor`. `detail` is its English sentence, which explains the solution. */
export const runDoctor = endpoint("GET /api/admin/doctor", {
  who: ["admin"],
  perMinute: 10,
  reply: z.object({ checks: z.array(z.object({ name: z.string(), ok: z.boolean(), detail: z.string() })) }),
});
