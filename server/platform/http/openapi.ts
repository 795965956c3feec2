import { globSync } from "node:fs";
import { join } from "node:path";

import * as z from "zod/mini";

import type { Endpoint } from "#contract/endpoint.ts";

export type JsonObject = Record<string, unknown>;

export type ApiDescription = Awaited<ReturnType<typeof describeApi>>;

interface Operation extends JsonObject {
  readonly description: string;
  readonly security: Record<string, string[]>[];
  readonly responses: Readonly<Record<string, ApiResponse>>;
}

interface ApiResponse {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: { readonly "application/json": { readonly schema: JsonObject } };
}

/** Body of every refusal. */
const refusal = z.strictObject({
  message: z.string(),
  /** Distinguishes refusals with the same status. */
  code: z.string(),
  errors: z.optional(z.record(z.string(), z.array(z.string()))),
  requestId: z.optional(z.string()),
});

const contractFolder = join(import.meta.dirname, "../../../contract");

/** OpenAPI document of all endpoints in the contract. */
export async function describeApi(appUrl: URL) {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const endpoint of await listEndpoints()) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeEndpoint(endpoint) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Stammtisch", version: "1" },
    servers: [{ url: appUrl.origin }],
    paths,
    components: {
      responses: { Refusal: { description: "refused", ...jsonContent(refusal) } },
      securitySchemes: {
        session: { type: "apiKey", in: "cookie", name: appUrl.protocol === "https:" ? "__Host-session" : "session" },
        csrf: { type: "apiKey", in: "header", name: "X-XSRF-TOKEN" },
        token: { type: "http", scheme: "bearer" },
        page: { type: "apiKey", in: "header", name: "X-Requested-With" },
      },
    },
  };
}

async function listEndpoints(): Promise<Endpoint[]> {
  const files = globSync("*.ts", { cwd: contractFolder, exclude: ["*.test.ts"] }).toSorted();
  const modules = await Promise.all(files.map((file) => import(join(contractFolder, file)) as Promise<JsonObject>));
  return modules.flatMap((exports) => Object.values(exports).filter(isEndpoint));
}

function isEndpoint(value: unknown): value is Endpoint {
  return typeof value === "object" && value !== null && "path" in value && "csrf" in value;
}

function describeEndpoint(endpoint: Endpoint): Operation {
  const { method, who, tokens, rate, csrf, params, query } = endpoint;
  const audience = typeof who === "string" ? who : who.join(", ");
  const content = describeRequest(endpoint);
  const security: Record<string, string[]> = {
    ...(who !== "everyone" && { session: [] }),
    ...(csrf === "token" && { session: [], csrf: [] }),
    ...(csrf === "requested-with" && { page: [] }),
  };
  return {
    description: `For ${audience}. At most ${rate.limit} calls in ${rate.seconds} s per ${rate.per}.`,
    // OpenAPI lists roles after the name of a security scheme; those of `token` are the scopes of API tokens.
    security: [security, ...(tokens ? [{ token: [...tokens] }] : [])],
    parameters: [...describeParameters("path", params), ...describeParameters("query", query)],
    ...(content && { requestBody: { content } }),
    responses: {
      ...describeReply(endpoint),
      ...(method === "GET" && { 304: { description: "not changed" } }),
      default: { $ref: "#/components/responses/Refusal" },
    },
  };
}

function describeParameters(place: "path" | "query", schema: z.ZodMiniType | undefined): JsonObject[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = toJsonSchema(schema, "input") as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, one]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    schema: one,
  }));
}

function describeRequest({ body, file, form, acceptsForm }: Endpoint): JsonObject | null {
  if (file) {
    const fields = form ? (toJsonSchema(form, "input")["properties"] as JsonObject) : {};
    const properties = { ...fields, [file.field]: { type: "string", contentMediaType: "application/octet-stream" } };
    return { "multipart/form-data": { schema: { type: "object", properties, required: [file.field] } } };
  }
  if (!body) return null;
  const schema = toJsonSchema(body, "input");
  return {
    "application/json": { schema },
    ...(acceptsForm && { "application/x-www-form-urlencoded": { schema } }),
  };
}

function describeReply({ status, reply, media }: Endpoint): Operation["responses"] {
  // A handler may override the media type. Range requests get a part of the file (206).
  if (media) return { 200: { description: media }, 206: { description: `a part of ${media}` } };
  return { [String(status ?? 200)]: { description: "done", ...(reply && jsonContent(reply)) } };
}

function jsonContent(schema: z.ZodMiniType) {
  return { content: { "application/json": { schema: toJsonSchema(schema) } } };
}

function toJsonSchema(schema: z.ZodMiniType, io: "input" | "output" = "output"): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return rest;
}
