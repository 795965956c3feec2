import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { numberBetween } from "./fields.ts";
import { field } from "./labels.ts";

/**
 * Number of the newest release in web/features/group/releases.ts. Each app version with
 * news for members gets the next number.
 */
export const newestNews = 2;

/** Marks all news up to the number `seen` as seen on all devices of the member. Idempotent. */
export const markNewsSeen = endpoint("POST /api/user/news", {
  who: "member",
  body: z.object({ seen: field("Neuigkeit", numberBetween({ min: 1, max: newestNews })) }),
  status: 204,
});
