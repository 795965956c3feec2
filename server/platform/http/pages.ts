import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyRequest } from "fastify";

import type { GroupConfig } from "#contract/group.ts";
import { addVaryEncoding, compressors, negotiateEncoding, type ContentEncoding } from "./compression.ts";
import type { HttpServer } from "./http-server.ts";
import { pageHeaders, workerPolicy } from "./headers.ts";
import { addressKeys, createRateLimiter } from "./rate-limit.ts";
import { refuse } from "./refusal.ts";
import { isPagePath, refuseUnknownRoute } from "./unknown-routes.ts";

const pageRate = { limit: 600, seconds: 60 };
/** All pages in both encodings, for members and visitors. */
const maxCompressedPages = 128;
/** For how many milliseconds a page waits for the database. */
const maxDatabaseWait = 50;
const immutableCacheControl = "public, max-age=31536000, immutable";

interface PagesOptions {
  /** Where the built web app is. */
  readonly folder: string;
  /** Null: the socket goes to our own host. */
  readonly realtimeOrigin: string | null;
  /** What the pages need to know of the group. Known at once, so that pages come while the database is silent. */
  readonly readGroup: () => GroupConfig;
}

/**
 * The built web app: its files by their names, and a page for every path that could be one, compressed for clients that accept
 * it. Unknown endpoints and anything that looks like a file are 404.
 */
export async function servePages(http: HttpServer, { folder, realtimeOrigin, readGroup }: PagesOptions): Promise<void> {
  const { fastify, config, clock } = http;
  const headers = pageHeaders(config.appUrl, realtimeOrigin);
  const index = readTextIfExists(join(folder, "index.html"));
  const pages = new Map(Object.entries(JSON.parse(readTextIfExists(join(folder, ".pages.json")) ?? "{}")));
  const pageLimit = createRateLimiter(pageRate, { factor: config.rateLimitFactor, clock });
  const compressPage = createPageCompressor();

  if (index !== null) await fastify.register((app) => serveStaticFiles(app, folder, http.files));
  fastify.get("/*", async (request, reply) => {
    pageLimit.count(addressKeys(request.ip), reply);
    const path = request.url.split("?", 1)[0]!;
    if (!isPagePath(path)) refuseUnknownRoute(http, request, reply);
    if (index === null) throw refuse("M503", { text: "Die Oberfläche ist noch nicht gebaut: npm start baut sie." });
    const encoding = negotiateEncoding(request.headers["accept-encoding"]);
    if (encoding) reply.header("content-encoding", encoding);
    reply.header("vary", "Cookie");
    addVaryEncoding(reply);
    const page = pages.get(path.replace(/(.)\/$/, "$1").toLowerCase()) as string | undefined;
    const html = page === undefined ? index : fillPage(page, readGroup(), await isFromMember(http, request));
    return reply
      .headers(headers)
      .type("text/html; charset=utf-8")
      .send(encoding ? await compressPage(html, encoding) : html);
  });
}

/** Whether a member is logged in, for the skeleton of the page. False where the database does not say so at once. */
async function isFromMember({ cookies, findMember }: HttpServer, { headers }: FastifyRequest): Promise<boolean> {
  const id = cookies.readSession(headers.cookie);
  if (id === null) return false;
  const found = findMember(id).catch(() => null);
  return (await Promise.race([found, sleep(maxDatabaseWait, null, { ref: false })])) !== null;
}

/** Puts the settings of the group in their places; `data-member` on the root element is for early.js. */
function fillPage(page: string, group: GroupConfig, isMember: boolean): string {
  const { group_name, group_short } = group;
  const values: Record<string, string> = { group_name, group_short, group: JSON.stringify(group) };
  const filled = page.replaceAll(/%(group\w*)%/g, (_, name: string) => escapeHtml(values[name]!));
  return isMember ? filled.replace("<html", "<html data-member") : filled;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Compresses a page once for all who ask for it; after a change of the settings, all pages are compressed anew. */
function createPageCompressor(): (html: string, encoding: ContentEncoding) => Promise<Buffer> {
  const compressed = new Map<string, Promise<Buffer>>();
  return (html, encoding) => {
    const key = encoding + html;
    const known = compressed.get(key);
    if (known !== undefined) return known;
    if (compressed.size >= maxCompressedPages) compressed.clear();
    const page = compressors[encoding](html);
    compressed.set(key, page);
    page.catch(() => compressed.delete(key));
    return page;
  };
}

/** Adds the path of each file to `paths`. */
async function serveStaticFiles(app: FastifyInstance, folder: string, paths: Set<string>): Promise<void> {
  app.addHook("onRoute", ({ url }) => void paths.add(url));
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

function readTextIfExists(path: string): string | null {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}
