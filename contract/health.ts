import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";

const rate = { per: "ip", limit: 60, seconds: 60 } as const;
const reply = z.object({ status: z.literal("ok") });

/** The process lives. */
export const getHealth = endpoint({ method: "GET", path: "/healthz", who: "everyone", rate, maxBody: 0, reply });

/** Reads and writes work. */
export const getReadiness = endpoint({ method: "GET", path: "/readyz", who: "everyone", rate, maxBody: 0, reply });
