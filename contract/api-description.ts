import { endpoint } from "./endpoint.ts";

/** The OpenAPI document of all endpoints, as a file to download. */
export const getApiDescription = endpoint("GET /api/admin/openapi", {
  who: ["admin"],
  media: "application/octet-stream",
});
