import type { FastifyReply, FastifyRequest } from "fastify";

import type { Endpoint } from "#contract/endpoint.ts";
import { refuse } from "./refusal.ts";

/** Endpoints, what looks like a file, and paths with an encoded dot, slash, backslash, per cent sign or control character. */
const noPage =
  /^\/(?:api|internal|broadcasting|sanctum|app|assets)(?:\/|$)|\/\.|\.[^/]*$|\\|%(?:[01]|2[5EFef]|5[Cc]|7[Ff])/;

/** Whether a page is shown at this path, if only the one that says that there is nothing. */
export function isPagePath(path: string): boolean {
  return !noPage.test(path);
}

/** 405 with `Allow` where the path exists for other methods, else 404. `files`: the paths of the files of the web app. */
export function refuseUnknownRoute(
  { endpoints, files }: { readonly endpoints: readonly Endpoint[]; readonly files: ReadonlySet<string> },
  request: FastifyRequest,
  reply: FastifyReply,
): never {
  const path = request.url.split("?", 1)[0]!;
  const methods = endpoints.filter((endpoint) => matchesPath(endpoint.path, path)).map(({ method }) => method);
  if (methods.length === 0 && (files.has(path) || isPagePath(path))) methods.push("GET");
  if (methods.length === 0) throw refuse("M404");
  const allowed = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  reply.header("allow", allowed.join(", "));
  throw refuse("M405");
}

function matchesPath(pattern: string, path: string): boolean {
  const expected = pattern.split("/");
  const given = path.split("/");
  return (
    expected.length === given.length && expected.every((part, index) => part.startsWith(":") || part === given[index])
  );
}
