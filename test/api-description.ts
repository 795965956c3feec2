import { expect } from "vitest";
import { fromJSONSchema } from "zod";

import type { ApiDescription, JsonObject } from "#server/platform/http/openapi.ts";
import type { ClientResponse } from "./client.ts";

/**
 * Returns a function that checks an answer against the OpenAPI document. The function ignores
 * endpoints that the document does not list.
 */
export function createDescriptionCheck({ paths, components }: ApiDescription) {
  const toParser = (schema: JsonObject) => fromJSONSchema(schema);
  const refusal = toParser(components.responses.Refusal.content["application/json"].schema);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      path: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`),
      replies: new Map(
        Object.entries(responses).map(([status, { content }]) => [
          status,
          content && toParser(content["application/json"].schema),
        ]),
      ),
    })),
  );

  return (method: string, path: string, { status, json }: ClientResponse): void => {
    const pathname = path.split("?", 1)[0]!;
    const found = operations.filter((one) => one.method === method && one.path.test(pathname));
    if (found.length === 0) return;
    if (status >= 400) return void refusal.parse(json);
    const expected = found.find(({ replies }) => replies.has(String(status)));
    expect(expected, `${method} ${path}: ${status} is not in the document`).toBeDefined();
    expected!.replies.get(String(status))?.parse(json);
  };
}
