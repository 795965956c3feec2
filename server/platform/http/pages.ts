import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyRequest } from "fastify";

import type { GroupConfig } from "#contract/group.ts";
import { user } from "#contract/members.ts";
import { escapeHtml } from "#server/platform/escape-html.ts";
import { addVaryEncoding, compressors, negotiateEncoding } from "./compression.ts";
import { pageHeaders, workerPolicy } from "./headers.ts";
import type { HttpServer } from "./http-server.ts";
import type { Member } from "./member.ts";
import { addressKeys, createRateLimiter } from "./rate-limit.ts";
import { refuse } from "./refusal.ts";
import { isPagePath, refuseUnknownRoute } from "./unknown-routes.ts";

const pageRate = { limit: 600, seconds: 60 };
/** For how many milliseconds a page waits for the database. */
const maxDatabaseWait = 50;
const immutableCacheControl = "public, max-age=31536000, immutable";

/** What a browser keeps for a member, by name (web/platform/user-storage.ts). */
type UserItems = Record<string, unknown>;

interface PagesOptions {
  /** Where the built web app is. */
  readonly folder: string;
  /** Null: the socket goes to our own host. */
  readonly realtimeOrigin: string | null;
  /** What the pages need to know of the group. Known at once, so that pages come while the database is silent. */
  readonly readGroup: () => GroupConfig;
  /** What the features let the browser of a member keep. */
  readonly readUserItems: (member: Member) => Promise<UserItems>;
}

/**
 * The built web app: its files by their names, and a page for every path that could be one, compressed for clients that accept
 * it. Unknown endpoints and anything that looks like a file are 404.
 */
export async function servePages(http: HttpServer, options: PagesOptions): Promise<void> {
  const { folder, realtimeOrigin, readGroup, readUserItems } = options;
  const { fastify, config, clock } = http;
  const headers = pageHeaders(config.appUrl, realtimeOrigin);
  const index = readTextIfExists(join(folder, "index.html"));
  const pages = new Map<string, string>(
    Object.entries(JSON.parse(readTextIfExists(join(folder, ".pages.json")) ?? "{}")),
  );
  // From the pages of visitors the app leads members to the dashboard.
  const pageOfMember = (page: string) => (page.includes('data-for="guest"') ? pages.get("/dashboard")! : page);
  const pageLimit = createRateLimiter(pageRate, { factor: config.rateLimitFactor, clock });

  if (index !== null) await fastify.register((app) => serveStaticFiles(app, folder, http));
  fastify.get("/*", async (request, reply) => {
    pageLimit.count(addressKeys(request.ip), reply);
    const path = request.url.split("?", 1)[0]!;
    if (!isPagePath(path)) refuseUnknownRoute(http, request, reply);
    if (index === null) throw refuse("M503", { text: "Die Oberfläche ist noch nicht gebaut: npm start baut sie." });
    const encoding = negotiateEncoding(request.headers["accept-encoding"]);
    if (encoding) reply.header("content-encoding", encoding);
    reply.headers(headers).type("text/html; charset=utf-8").header("vary", "Cookie");
    addVaryEncoding(reply);
    const page = pages.get(path.replace(/(.)\/$/, "$1").toLowerCase());
    const items = page === undefined ? null : await findUserItems(http, request, readUserItems);
    if (items !== null) reply.header("cache-control", "no-cache, no-store");
    const html = page === undefined ? index : fillPage(items === null ? page : pageOfMember(page), readGroup(), items);
    return reply.send(encoding ? await compressors[encoding](html) : html);
  });
}

/** Null for visitors, and where the database does not answer soon. */
async function findUserItems(
  { cookies, findMember }: HttpServer,
  { headers }: FastifyRequest,
  readUserItems: PagesOptions["readUserItems"],
): Promise<UserItems | null> {
  const id = cookies.readSession(headers.cookie);
  if (id === null) return null;
  const readItems = async () => {
    const member = await findMember(id);
    return member && { user: user.parse(member), ...(await readUserItems(member)) };
  };
  return Promise.race([readItems().catch(() => null), sleep(maxDatabaseWait, null, { ref: false })]);
}

/** Puts the settings of the group in their places, and on the root element, for early.js, what the browser of a member keeps. */
function fillPage(page: string, group: GroupConfig, userItems: UserItems | null): string {
  const { group_name, group_short } = group;
  const values: Record<string, string> = { group_name, group_short, group: JSON.stringify(group) };
  const filled = page.replaceAll(/%(group\w*)%/g, (_, name: string) => escapeHtml(values[name]!));
  if (userItems === null) return filled;
  return filled.replace("<html", () => `<html data-member="${escapeHtml(JSON.stringify(userItems))}"`);
}

/** Adds the paths of all files to `files`, and sends each connection a few of them at a time. */
async function serveStaticFiles(
  app: FastifyInstance,
  folder: string,
  { files, takeFileSlot }: HttpServer,
): Promise<void> {
  app.addHook("onRoute", ({ url }) => void files.add(url));
  app.addHook("onRequest", async ({ headers, socket }, reply) => {
    // The plugin reads `*` as gzip, even where gzip itself is refused.
    headers["accept-encoding"] = negotiateEncoding(headers["accept-encoding"]) ?? "identity";
    // A client may send hundreds of requests at once on one connection: each would open its file before the first is read.
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
