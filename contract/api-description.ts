import * as z from "zod/mini";

import { endpoint } from "./endpoint.ts";

/** The OpenAPI document of all endpoints, as a file to download. */
export const getApiDescription = endpoint("GET /api/admin/openapi", {
  who: ["admin"],
  media: "application/octet-stream",
});

/** An operation of the OpenAPI document; its other fields are described by that standard. */
const operation = z.looseObject({
  description: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
});
export type ApiOperation = z.output<typeof operation>;

/** The OpenAPI document for programs with an API token, and for the page that shows it. */
export const getOpenApi = endpoint("GET /api/openapi", {
  who: "member",
  tokens: ["read", "tap"],
  reply: z.looseObject({ paths: z.record(z.string(), z.record(z.string(), operation)) }),
});
