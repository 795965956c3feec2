import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

import fastifyStatic from "@fastify/static";

import { type Door, refuseUnknown } from "./door.ts";
import { pageHeaders, workerPolicy } from "./headers.ts";
import { addressKey, openRateLimiter } from "./rate.ts";
import { refuse } from "./refuse.ts";

const reserved = /^\/(?:api|internal|broadcasting|sanctum|app|assets)(?:\/|$)/;
const pageRate = { per: "ip", limit: 600, seconds: 60 } as const;
const immutable = "public, max-age=31536000, immutable";

/**
 * The built web app from `folder`: its files by their names, and `index.html` for every path that could be a page.
 * Unknown calls and anything that looks like a file stay 404.
 */
export async function servePages(door: Door, folder: string, realtimeOrigin: string | null): Promise<void> {
  const { app, config, endpoints } = door;
  const headers = pageHeaders(config.appUrl, realtimeOrigin);
  const index = join(folder, "index.html");
  const html = existsSync(index) ? readFileSync(index) : null;
  const countPage = openRateLimiter(app, pageRate, config.rateLimitFactor, ({ ip }) => addressKey(ip));

  if (html) {
    await app.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      preCompressed: true,
      dotfiles: "ignore",
      cacheControl: false,
      globIgnore: ["**/index.html"],
      setHeaders: (response, path) => {
        response.header("cache-control", path.startsWith(join(folder, "assets")) ? immutable : "no-cache");
        if (path === join(folder, "sw.js")) response.header("content-security-policy", workerPolicy);
      },
    });
  }
  app.get("/*", { onRequest: countPage }, async (request, reply) => {
    const path = request.url.split("?", 1)[0]!;
    if (reserved.test(path) || /\/\.|\.[^/]*$/.test(path) || path.includes("%") || path.includes("\\")) {
      refuseUnknown(endpoints, request, reply);
    }
    if (!html) throw refuse("M503", { text: "Die Oberfläche ist noch nicht gebaut: npm start baut sie." });
    return reply.headers(headers).type("text/html; charset=utf-8").send(html);
  });
}
