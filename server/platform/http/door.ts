import { randomUUID } from "node:crypto";

import fastifyCookie from "@fastify/cookie";
import fastifyCors from "@fastify/cors";
import fastifyRateLimit from "@fastify/rate-limit";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";

import type { Endpoint } from "#contract/endpoint.ts";
import type { Config } from "#server/config.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Log } from "#server/platform/log.ts";
import { addBodyParsers } from "./body.ts";
import { answerError, parserErrorAnswerer } from "./errors.ts";
import { securityHeaders } from "./headers.ts";
import type { Member } from "./member.ts";
import { openOrigins, type Origins } from "./origin.ts";
import { addressKey, openRateLimiter, type RateLimiter } from "./rate.ts";
import { refuse } from "./refuse.ts";
import { probes } from "./probes.ts";
import { logRequest } from "./request-log.ts";
import { openSessionCookies, type SessionCookies } from "./session-cookie.ts";

/** Where requests come in: the HTTP server and everything that guards it. */
export interface Door {
  readonly app: FastifyInstance;
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly cookies: SessionCookies;
  readonly origins: Origins;
  /** What every answer carries. */
  readonly headers: Readonly<Record<string, string>>;
  /** Every endpoint that has been bound, for the 405 of the methods it does not take. */
  readonly endpoints: Endpoint[];
  /** Who is behind a session id; null for strangers, ended sessions and disabled members. */
  readonly findMember: (sessionId: string) => Promise<Member | null>;
  /** The limits over all calls: per session for members, per address for everybody else, also for calls that are refused. */
  readonly countMember: RateLimiter;
  readonly countStranger: RateLimiter;
  /** Resolves as soon as no request is being answered. */
  whenIdle(): Promise<void>;
}

export interface DoorOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly appKey: string;
  readonly findMember: Door["findMember"];
}

const maxUrlLength = 2048;
const strangerRate = { per: "ip", limit: 600, seconds: 60 } as const;
const memberRate = { per: "session", limit: 1200, seconds: 60 } as const;

export async function openDoor({ config, clock, log, appKey, findMember }: DoorOptions): Promise<Door> {
  const headers = securityHeaders(config.appUrl);
  const answerParserError = parserErrorAnswerer(headers);
  const app = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    // A missing Host is answered by us, with a message, instead of with an empty body.
    http: {
      requireHostHeader: false,
      maxHeaderSize: 16_384,
      headersTimeout: 10_000,
      connectionsCheckingInterval: 1000,
      // Whoever offers another protocol, as some clients do with HTTP/2, is answered in the one that was spoken.
      shouldUpgradeCallback: ({ headers: { upgrade } }) => upgrade?.toLowerCase() === "websocket",
    },
    requestTimeout: 60_000,
    // Whoever reads nothing of the answer for this long is hung up on.
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000,
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, request, reply) => answerError(log, error, request, reply.headers(headers)),
    clientErrorHandler: answerParserError,
  });
  const origins = openOrigins(config.appUrl, config.extraOrigins);
  const endpoints: Endpoint[] = [];

  // Left alone, Node itself answers what nobody can expect, with 417 and without a word.
  app.server.on("checkExpectation", (request, response) => void app.server.emit("request", request, response));
  // It would hang up on a wish for a tunnel, also without a word. Nobody but us hears of errors on that socket.
  app.server.on("connect", (_request, socket) =>
    answerParserError(
      new Error("CONNECT"),
      socket.on("error", () => {}),
    ),
  );
  app.decorateRequest("cookie", null);
  app.decorateRequest("member", null);
  app.setErrorHandler((error, request, reply) => answerError(log, error, request, reply));
  app.setNotFoundHandler(() => {
    throw refuse("M404");
  });
  const inFlight = watchRequests(app);
  app.addHook("onRequest", async (request, reply) => {
    reply.headers(headers);
    if (isGone(request)) throw refuse("M400");
    checkTarget(request, origins);
    if (request.is404) refuseUnknown(endpoints, request, reply);
  });
  app.addHook("onResponse", async (request, reply) => logRequest(log, request, reply));
  await app.register(fastifyCookie);
  await app.register(fastifyRateLimit, { global: false });
  if (config.extraOrigins.length > 0) {
    await app.register(fastifyCors, { origin: [...config.extraOrigins], credentials: true, strictPreflight: false });
  }
  addBodyParsers(app);

  return {
    app,
    config,
    clock,
    log,
    headers,
    origins,
    endpoints,
    findMember,
    cookies: openSessionCookies(appKey, config.appUrl.protocol === "https:"),
    whenIdle: inFlight.whenIdle,
    countMember: openRateLimiter(app, memberRate, config.rateLimitFactor, ({ cookie }) => String(cookie)),
    countStranger: openRateLimiter(app, strangerRate, config.rateLimitFactor, ({ ip }) => addressKey(ip)),
  };
}

function watchRequests(app: FastifyInstance) {
  let count = 0;
  let onIdle: (() => void) | undefined;
  app.addHook("onRequest", async () => void count++);
  app.addHook("onResponse", async () => {
    count--;
    if (count === 0) onIdle?.();
  });
  return {
    whenIdle: () => new Promise<void>((resolve) => (count === 0 ? resolve() : (onIdle = resolve))),
  };
}

/** Who hung up before the request was looked at has no address any more: nobody to count, and nobody to answer. */
function isGone({ ip }: { readonly ip: string | undefined }): boolean {
  return ip === undefined;
}

function checkTarget(request: FastifyRequest, origins: Origins): void {
  const { url, rawHeaders, headers, httpVersion } = request.raw;
  if (!url?.startsWith("/")) throw refuse("M400");
  if (url.length > maxUrlLength) throw refuse("M414");
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue") throw refuse("M400");
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host");
  const isHostMissing = hosts.length === 0 && httpVersion !== "1.0";
  if (hosts.length > 1 || isHostMissing) throw refuse("M400");
  // Node's parser lets HTTP/0.9 and 2.0 pass, and codings that it does not undo.
  const coding = headers["transfer-encoding"] ?? "chunked";
  if (!/^1\.[01]$/.test(httpVersion) || coding.toLowerCase() !== "chunked") throw refuse("M400");
  if (!probes.has(url) && !origins.isOurHost(headers.host)) throw refuse("M421");
}

/** 405 with `Allow` where the path exists for other methods, else 404. */
export function refuseUnknown(endpoints: readonly Endpoint[], request: FastifyRequest, reply: FastifyReply): never {
  const path = request.url.split("?", 1)[0]!;
  const methods = endpoints.filter((endpoint) => matches(endpoint.path, path)).map(({ method }) => method);
  // The path may fit and yet not be routed, as with a placeholder filled beyond measure.
  if (methods.length === 0 || methods.some((method) => method === request.method)) throw refuse("M404");
  const allowed = methods.includes("GET") ? [...methods, "HEAD"] : methods;
  reply.header("allow", allowed.join(", "));
  throw refuse("M405");
}

function matches(pattern: string, path: string): boolean {
  const expected = pattern.split("/");
  const given = path.split("/");
  return (
    expected.length === given.length && expected.every((part, index) => part.startsWith(":") || part === given[index])
  );
}
