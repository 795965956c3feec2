import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

import type { GroupConfig } from "#contract/group-config.ts";
import { escapeHtml } from "#server/platform/escape-html.ts";
import { addressKeys, createRateLimiter } from "#server/platform/limits/limits.ts";
import { addVaryEncoding, compressors, negotiateEncoding } from "./compression.ts";
import { pageHeaders, workerPolicy } from "./headers.ts";
import type { HttpServer } from "./http-server.ts";
import { refuse } from "./refusal.ts";
import { isPagePath, refuseUnknownRoute } from "./unknown-routes.ts";

const pageRate = { limit: 600, seconds: 60 };
const immutableCacheControl = "public, max-age=31536000, immutable";

/** The service worker caches this page, whose group settings would become outdated. */
const offlinePath = "/offline";

interface PagesOptions {
  readonly folder: string;
  /** `null` if sockets connect to this server. */
  readonly realtimeOrigin: string | null;
  /** Runs no query, so that pages work while the database does not answer. */
  readonly readGroup: () => GroupConfig;
}

/** Serves the built files, and a page at every other path. Refuses unknown endpoints and missing files with 404. */
export async function servePages(http: HttpServer, options: PagesOptions): Promise<void> {
  const { folder, realtimeOrigin, readGroup } = options;
  const { fastify, config, clock } = http;
  const headers = pageHeaders(config.appUrl, realtimeOrigin);
  const index = readTextIfExists(join(folder, "index.html"));
  const pageLimit = createRateLimiter(pageRate, { factor: config.rateLimitFactor, clock });

  if (index !== null) await fastify.register((app) => serveStaticFiles(app, folder, http));
  fastify.get("/*", async (request, reply) => {
    pageLimit.check(addressKeys(request.ip), reply);
    const path = request.url.split("?", 1)[0]!;
    if (!isPagePath(path)) refuseUnknownRoute(http, request, reply);
    if (index === null)
      throw refuse("unavailable", { text: "Die Oberfläche ist noch nicht gebaut: npm start baut sie." });
    const encoding = negotiateEncoding(request.headers["accept-encoding"]);
    if (encoding) reply.header("content-encoding", encoding);
    reply.headers(headers).type("text/html; charset=utf-8");
    addVaryEncoding(reply);
    const html = path === offlinePath ? index : fillIndex(index, readGroup());
    return reply.send(encoding ? await compressors[encoding](html) : html);
  });
}

function fillIndex(index: string, group: GroupConfig): string {
  return index
    .replace("<title>Stammtisch</title>", () => `<title>${escapeHtml(group.group_name)}</title>`)
    .replace('name="group" content=""', () => `name="group" content="${escapeHtml(JSON.stringify(group))}"`);
}

/** Adds the paths of the files to `files`. */
async function serveStaticFiles(
  app: FastifyInstance,
  folder: string,
  { files, takeFileSlot }: HttpServer,
): Promise<void> {
  app.addHook("onRoute", ({ url }) => void files.add(url));
  app.addHook("onRequest", async ({ headers, socket }, reply) => {
    // The plugin would treat `*` as gzip even if the client refuses gzip.
    headers["accept-encoding"] = negotiateEncoding(headers["accept-encoding"]) ?? "identity";
    // A client may send hundreds of requests at once on one connection, and each would open its file before the first
    // answer is read.
    await takeFileSlot(socket, reply);
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

function readTextIfExists(path: string): string | null {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}
