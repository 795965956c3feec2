import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";

import { chooseEncoding, varyByEncoding } from "./compression.ts";
import { type Door, refuseUnknown } from "./door.ts";
import { pageHeaders, workerPolicy } from "./headers.ts";
import { addressKey, openRateLimiter } from "./rate.ts";
import { refuse } from "./refuse.ts";

const reserved = /^\/(?:api|internal|broadcasting|sanctum|app|assets)(?:\/|$)/;
const pageRate = { per: "ip", limit: 600, seconds: 60 } as const;
const immutable = "public, max-age=31536000, immutable";

/**
 * The built web app from `folder`: its files by their names, and `index.html` for every path that could be a page, compressed
 * for callers who take that. Unknown calls and anything that looks like a file stay 404.
 */
export async function servePages(door: Door, folder: string, realtimeOrigin: string | null): Promise<void> {
  const { app, config, endpoints } = door;
  const headers = pageHeaders(config.appUrl, realtimeOrigin);
  const index = join(folder, "index.html");
  const html = readIfThere(index);
  const compressed = { br: readIfThere(`${index}.br`), gzip: readIfThere(`${index}.gz`) };
  const countPage = openRateLimiter(app, pageRate, config.rateLimitFactor, ({ ip }) => addressKey(ip));

  if (html) await app.register((files) => serveFiles(files, folder));
  app.get("/*", { onRequest: countPage }, async (request, reply) => {
    const path = request.url.split("?", 1)[0]!;
    if (reserved.test(path) || /\/\.|\.[^/]*$/.test(path) || path.includes("%") || path.includes("\\")) {
      refuseUnknown(endpoints, request, reply);
    }
    if (!html) throw refuse("M503", { text: "Die Oberfläche ist noch nicht gebaut: npm start baut sie." });
    const encoding = chooseEncoding(request.headers["accept-encoding"]);
    const encoded = encoding && compressed[encoding];
    if (encoded) reply.header("content-encoding", encoding);
    varyByEncoding(reply);
    return reply
      .headers(headers)
      .type("text/html; charset=utf-8")
      .send(encoded ?? html);
  });
}

async function serveFiles(app: FastifyInstance, folder: string): Promise<void> {
  // The plugin takes `*` for gzip, also where gzip itself is refused.
  app.addHook("onRequest", async ({ headers }) => {
    headers["accept-encoding"] = chooseEncoding(headers["accept-encoding"]) ?? "identity";
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
      response.header("cache-control", path.startsWith(join(folder, "assets")) ? immutable : "no-cache");
      const isWorker = path.replace(/\.(br|gz)$/, "") === join(folder, "sw.js");
      if (isWorker) response.header("content-security-policy", workerPolicy);
    },
  });
}

function readIfThere(path: string): Buffer | null {
  return existsSync(path) ? readFileSync(path) : null;
}
