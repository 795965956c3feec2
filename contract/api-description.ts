import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";

/** Returns the OpenAPI document of all endpoints as a download. */
export const getApiDescription = endpoint("GET /api/admin/openapi", {
  who: ["admin"],
  media: "application/octet-stream",
});

/**
 * An operation of the OpenAPI document. Lists only the fields that the API page reads; the OpenAPI
 * standard defines the others.
 */
const operation = z.looseObject({
  description: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
});
export type ApiOperation = z.output<typeof operation>;

/** Returns the OpenAPI document of the endpoints that accept an API token. */
export const getOpenApi = endpoint("GET /api/openapi", {
  who: "member",
  tokens: ["read", "tap"],
  reply: z.looseObject({ paths: z.record(z.string(), z.record(z.string(), operation)) }),
});
