import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

import { negotiateEncoding, addVaryEncoding } from "./compression.ts";
import { type HttpServer, refuseUnknownRoute } from "./http-server.ts";
import { pageHeaders, workerPolicy } from "./headers.ts";
import { addressKeys, createRateLimiter } from "./rate-limit.ts";
import { refuse } from "./refusal.ts";

const reservedPaths = /^\/(?:api|internal|broadcasting|sanctum|app|assets)(?:\/|$)/;
const pageRate = { limit: 600, seconds: 60 };
const immutableCacheControl = "public, max-age=31536000, immutable";

/**
 * The built web app from `folder`: its files by their names, and `index.html` for every path that could be a page, compressed
 * for clients that accept it. Unknown endpoints and anything that looks like a file are 404.
 */
export async function servePages(http: HttpServer, folder: string, realtimeOrigin: string | null): Promise<void> {
  const { fastify, config, clock, endpoints } = http;
  const headers = pageHeaders(config.appUrl, realtimeOrigin);
  const preloads = readPreloads(folder);
  const index = join(folder, "index.html");
  const html = readFileIfExists(index);
  const compressed = { br: readFileIfExists(`${index}.br`), gzip: readFileIfExists(`${index}.gz`) };
  const pageLimit = createRateLimiter(pageRate, { factor: config.rateLimitFactor, clock });

  if (html) await fastify.register((files) => serveStaticFiles(files, folder));
  fastify.get("/*", async (request, reply) => {
    pageLimit.count(addressKeys(request.ip), reply);
    const path = request.url.split("?", 1)[0]!;
    if (reservedPaths.test(path) || /\/\.|\.[^/]*$/.test(path) || path.includes("%") || path.includes("\\")) {
      refuseUnknownRoute(endpoints, request, reply);
    }
    if (!html) throw refuse("M503", { text: "Die Oberfläche ist noch nicht gebaut: npm start baut sie." });
    const encoding = negotiateEncoding(request.headers["accept-encoding"]);
    const encoded = encoding && compressed[encoding];
    if (encoded) reply.header("content-encoding", encoding);
    addVaryEncoding(reply);
    const links = preloads.get(path.replace(/(.)\/$/, "$1").toLowerCase());
    if (links !== undefined) reply.header("link", links);
    return reply
      .headers(headers)
      .type("text/html; charset=utf-8")
      .send(encoded ?? html);
  });
}

async function serveStaticFiles(app: FastifyInstance, folder: string): Promise<void> {
  // The plugin reads `*` as gzip, even where gzip itself is refused.
  app.addHook("onRequest", async ({ headers }) => {
    headers["accept-encoding"] = negotiateEncoding(headers["accept-encoding"]) ?? "identity";
  });
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    index: false,
    preCompressed: true,
    dotfiles: "ignore",
    cacheControl: false,
    globIgnore: ["**/index.html", "**/*.{br,gz}"],
    setHeaders: (response, path) => {
      response.header("cache-control", path.startsWith(join(folder, "assets")) ? immutableCacheControl : "no-cache");
      const isWorker = path.replace(/\.(br|gz)$/, "") === join(folder, "sw.js");
      if (isWorker) response.header("content-security-policy", workerPolicy);
    },
  });
}

/** The Link header by the path of a page, so that its own files are fetched together with the app. */
function readPreloads(folder: string): Map<string, string> {
  const text = readFileIfExists(join(folder, ".preloads.json"))?.toString() ?? "{}";
  const files = Object.entries(JSON.parse(text) as Record<string, string[]>);
  return new Map(files.map(([path, names]) => [path, names.map(toLink).join(", ")]));
}

function toLink(name: string): string {
  return `</${name}>; ${name.endsWith(".css") ? "rel=preload; as=style" : "rel=modulepreload"}; crossorigin`;
}

function readFileIfExists(path: string): Buffer | null {
  return existsSync(path) ? readFileSync(path) : null;
}
