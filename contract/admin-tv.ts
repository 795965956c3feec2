import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";
import { fixedMessage, readableText, requiredText, rowId } from "./fields.ts";
import { field } from "./labels.ts";
import { normalizeTvCode, tvCodeAlphabet, tvCodeLength } from "./tv.ts";

/**
 * A TV link without its token, which only the reply to its creation contains. It ends after 180 days without use. Times in
 * ISO 8601.
 */
export const tvLink = z.object({
  id: z.int(),
  name: z.string(),
  /** Null: a member who has deleted the account. */
  by: z.nullable(z.string()),
  created_at: z.string(),
  /** To the minute; null: not yet. */
  last_used_at: z.nullable(z.string()),
});
export type TvLink = z.output<typeof tvLink>;

/** The newest first. */
export const getTvLinks = endpoint("GET /api/admin/tv", {
  who: ["admin"],
  reply: z.array(tvLink),
});

/** The only reply that contains the link. */
export const makeTvLink = endpoint("POST /api/admin/tv", {
  who: ["admin"],
  needsRecentPassword: true,
  body: z.object({ name: field("Name", readableText(32)) }),
  reply: z.object({ id: z.int(), url: z.string() }),
  status: 201,
});

const codePattern = new RegExp(`^[${tvCodeAlphabet}]{${tvCodeLength}}$`);

const typedCode = z.pipe(
  requiredText,
  z.pipe(z.transform(normalizeTvCode), z.string().check(z.refine((code) => codePattern.test(code), "V-code"))),
);

/** Connects the television that shows the code. The answer does not contain its token, which it has already. */
export const pairTv = endpoint("POST /api/admin/tv-code", {
  who: ["admin"],
  needsRecentPassword: true,
  body: z.object({ code: field("Code", typedCode), name: field("Name", readableText(32)) }),
  reply: z.object({ id: z.int(), message: z.string() }),
  status: 201,
});

/** Screens that were opened with it show nothing any more, within seconds. */
export const revokeTvLink = endpoint("DELETE /api/admin/tv/:id", {
  who: ["admin"],
  perMinute: 60,
  params: z.object({ id: rowId }),
  reply: fixedMessage("Link zurückgezogen."),
});
