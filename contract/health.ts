import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";

const reply = z.object({ status: z.literal("ok"), version: z.string() });

/** Answers while the process runs. */
export const getHealth = endpoint("GET /healthz", {
  who: "everyone",
  perMinute: 60,
  reply,
});

/** Answers 200 while reads and writes work. */
export const getReadiness = endpoint("GET /readyz", {
  who: "everyone",
  perMinute: 60,
  reply,
});
