import * as z from "zod/mini";

import { endpoint, tokenScopes } from "./endpoint.ts";
import { fixedMessage, numberBetween, readableText, rowId } from "./fields.ts";
import { field } from "./labels.ts";

/**
 * Matches an API token: `st_`, by which secret scanners recognize leaked tokens, and 256 random
 * bits in base64url.
 */
export const tokenPattern = /^st_[A-Za-z0-9_-]{43}$/;

/** Maximum number of API tokens per member, expired ones included. */
export const maxTokens = 10;

/**
 * An API token without its secret; times in ISO 8601. `expires_at` is `null` if the token never
 * expires, `last_used_at` until the first use.
 */
export const apiToken = z.object({
  id: z.int(),
  name: z.string(),
  scope: z.enum(tokenScopes),
  created_at: z.string(),
  expires_at: z.nullable(z.string()),
  last_used_at: z.nullable(z.string()),
});
export type ApiToken = z.output<typeof apiToken>;

/** Returns the requesting member's API tokens, oldest first. */
export const getTokens = endpoint("GET /api/user/tokens", { who: "member", reply: z.array(apiToken) });

/**
 * Creates an API token; only this reply contains the secret. `days`: validity, 0 for a token that
 * never expires.
 */
export const createToken = endpoint("POST /api/user/tokens", {
  who: "member",
  needsRecentPassword: true,
  body: z.object({
    name: field("Name", readableText(64)),
    scope: field("Recht", z.enum(tokenScopes)),
    days: field("Gültigkeit", numberBetween({ min: 0, max: 365 })),
  }),
  reply: z.object({ token: z.string() }),
  status: 201,
});

export const revokeToken = endpoint("DELETE /api/user/tokens/:id", {
  who: "member",
  params: z.object({ id: rowId }),
  reply: fixedMessage("API-Token widerrufen."),
});
