import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { numberBetween } from "./fields.ts";
import { field } from "./labels.ts";

/** Number of the newest news (web/features/news/components/releases.ts); rises by one with every version that has news. */
export const newestNews = 1;

/** Marks all news up to this number as seen on all devices. Idempotent; pages of an older version mark only what they know. */
export const markNewsSeen = endpoint("POST /api/user/news", {
  who: "member",
  body: z.object({ seen: field("Neuigkeit", numberBetween({ min: 1, max: newestNews })) }),
  status: 204,
});
