import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";

const reply = z.object({ status: z.literal("ok") });

/** Answers 200 while the process runs, even if the database is down. */
export const getHealth = endpoint("GET /healthz", {
  who: "everyone",
  perMinute: 60,
  reply,
});

/**
 * Answers 200 while the database can be read and written, otherwise 503; also 503 if a newer app
 * version has migrated the database, if messages of other instances do not arrive, and while the
 * server stops.
 */
export const getReadiness = endpoint("GET /readyz", {
  who: "everyone",
  perMinute: 60,
  reply,
});
