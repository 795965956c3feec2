import type { FastifyReply, FastifyRequest } from "fastify";

import type { Endpoint } from "#contract/endpoint.ts";
import { refuse } from "./refusal.ts";

/** Endpoints, file names, and paths with an encoded dot, slash, backslash, percent sign or control character. */
const noPage =
  /^\/(?:api|internal|broadcasting|sanctum|app|assets)(?:\/|$)|\/\.|\.[^/]*$|\\|%(?:[01]|2[5EFef]|5[Cc]|7[Ff])/;

/** The page may be the “not found” page. */
export function isPagePath(path: string): boolean {
  return !noPage.test(path);
}

/** Refuses with 405 and `Allow` if the path exists for other methods, otherwise with 404. */
export function refuseUnknownRoute(
  { endpoints, files }: { readonly endpoints: readonly Endpoint[]; readonly files: ReadonlySet<string> },
  request: FastifyRequest,
  reply: FastifyReply,
): never {
  const path = request.url.split("?", 1)[0]!;
  const methods = endpoints.filter((endpoint) => matchesPath(endpoint.path, path)).map(({ method }) => method);
  if (methods.length === 0 && (files.has(path) || isPagePath(path))) methods.push("GET");
  if (methods.length === 0) throw refuse("notFound");
  const allowed = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  reply.header("allow", allowed.join(", "));
  throw refuse("methodNotAllowed");
}

function matchesPath(pattern: string, path: string): boolean {
  const expected = pattern.split("/");
  const given = path.split("/");
  return (
    expected.length === given.length && expected.every((part, index) => part.startsWith(":") || part === given[index])
  );
}
