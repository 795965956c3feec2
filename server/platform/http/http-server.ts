import { randomUUID } from "node:crypto";

import fastifyCookie from "@fastify/cookie";
import fastifyCors from "@fastify/cors";
import fastify, { type FastifyRequest } from "fastify";

import type { Endpoint } from "#contract/endpoint.ts";
import type { Config } from "#server/config.ts";
import { isDiskFull } from "#server/db/connect.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Log } from "#server/platform/log.ts";
import { minutes, seconds } from "#server/time.ts";
import { createAllowedOrigins, type AllowedOrigins } from "./allowed-origins.ts";
import { addBodyParsers } from "./body.ts";
import { removeInvalidForwardedFor } from "./client-address.ts";
import { sendError, createParserErrorHandler } from "./errors.ts";
import { createFileSlots } from "./file-slots.ts";
import { securityHeaders } from "./headers.ts";
import type { Member, TokenCaller } from "./member.ts";
import { probePaths } from "./probes.ts";
import { createRateLimiter } from "./rate-limit.ts";
import { refuse } from "./refusal.ts";
import { createProxyWarning, logRequest } from "./request-log.ts";
import { createSessionCookies } from "./session-cookies.ts";
import { refuseUnknownRoute } from "./unknown-routes.ts";
import { addUploads } from "./upload.ts";

export type HttpServer = Awaited<ReturnType<typeof createHttpServer>>;

interface HttpServerOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly appKey: string;
  /** Finds the member of a session id; `null` for unknown and ended sessions and for disabled members. */
  readonly findMember: (sessionId: string) => Promise<Member | null>;
  /** Finds the caller of an API token; `null` for unknown and ended tokens and for disabled members. */
  readonly findTokenCaller: (token: string) => Promise<TokenCaller | null>;
}

const maxUrlLength = 2048;
const guestRate = { limit: 600, seconds: 60 };
const memberRate = { limit: 1200, seconds: 60 };
const tokenRate = { limit: 120, seconds: 60 };

/** Creates the HTTP server with the checks of every request. */
export async function createHttpServer(options: HttpServerOptions) {
  const { config, clock, log, appKey, findMember, findTokenCaller } = options;
  const headers = securityHeaders(config.appUrl);
  const handleParserError = createParserErrorHandler(headers);
  const instance = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    // A missing Host header is refused below with a message, instead of by Node without one.
    http: {
      requireHostHeader: false,
      maxHeaderSize: 16_384,
      headersTimeout: seconds(10),
      connectionsCheckingInterval: seconds(1),
      // Ignores offers of other protocols, such as HTTP/2.
      shouldUpgradeCallback: ({ headers: { upgrade } }) => upgrade?.toLowerCase() === "websocket",
    },
    requestTimeout: minutes(1),
    // Disconnects clients that do not read their answer for this long. Longer than the request timeout above, whose 408 would
    // otherwise not reach a stalled client.
    connectionTimeout: seconds(70),
    keepAliveTimeout: seconds(72),
    forceCloseConnections: "idle",
    // Refused below with our own error.
    return503OnClosing: false,
    // The contract limits path parameters.
    routerOptions: { maxParamLength: maxUrlLength },
    // Endpoints are validated by their contract. Fastify would load 150 files for JSON Schema.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    frameworkErrors: (error, request, reply) => sendError(log, error, request, reply.headers(headers)),
    clientErrorHandler: handleParserError,
  });
  const general = { factor: config.rateLimitFactor, clock, isGeneral: true };
  const origins = createAllowedOrigins(config.appUrl, config.extraOrigins);
  const server = {
    fastify: instance,
    config,
    clock,
    log,
    /** The headers of every reply. */
    headers,
    origins,
    /** All bound endpoints, for the 405 of other methods. */
    endpoints: [] as Endpoint[],
    /** The paths of the web app's files, for the same purpose. */
    files: new Set<string>(),
    findMember,
    findTokenCaller,
    takeFileSlot: createFileSlots(clock),
    /** Number of requests that failed on a full disk. */
    fullDiskErrors: 0,
    cookies: createSessionCookies(appKey, config.appUrl.protocol === "https:"),
    /** Resolves once no request is in flight. */
    whenIdle: () => new Promise<void>((resolve) => (inFlight === 0 ? resolve() : (onIdle = resolve))),
    /** Limits across all endpoints, including refused requests. */
    limits: {
      /** Per session. */
      members: createRateLimiter(memberRate, general),
      /** Per API token. */
      tokens: createRateLimiter(tokenRate, general),
      /** Per address: requests without a session cookie. */
      guests: createRateLimiter(guestRate, general),
      /** Per address: requests with an unknown session or API token. */
      unknownSessions: createRateLimiter(guestRate, general),
    },
  };

  removeInvalidForwardedFor(instance.server, config.trustProxy, log);
  // Node would answer an unknown Expect header with an empty 417.
  instance.server.on(
    "checkExpectation",
    (request, response) => void instance.server.emit("request", request, response),
  );
  // Otherwise Node closes the socket on CONNECT. Errors of that socket have no other listener.
  instance.server.on("connect", (_request, socket) =>
    handleParserError(
      new Error("CONNECT"),
      socket.on("error", () => {}),
    ),
  );
  instance.decorateRequest("sessionCookie", null);
  instance.decorateRequest("apiToken", null);
  instance.decorateRequest("unknownSessionKeys", null);
  instance.decorateRequest("member", null);
  instance.setErrorHandler((error, request, reply) => {
    if (isDiskFull(error)) server.fullDiskErrors += 1;
    sendError(log, error, request, reply);
  });
  instance.setNotFoundHandler(() => {
    throw refuse("notFound");
  });
  const warnOfUnknownProxy = createProxyWarning(log, config);
  let isClosing = false;
  instance.addHook("preClose", (done) => {
    isClosing = true;
    done();
  });
  let inFlight = 0;
  let onIdle: (() => void) | undefined;
  instance.addHook("onRequest", (request, reply, done) => {
    inFlight++;
    // Also where the client leaves before the answer.
    reply.raw.once("close", () => {
      inFlight--;
      if (inFlight === 0) onIdle?.();
    });
    reply.headers(headers);
    if (isClosing) throw refuse("unavailable", { seconds: 1 });
    if (isDisconnected(request)) throw refuse("invalidRequest");
    warnOfUnknownProxy(request);
    checkRequestTarget(request, origins);
    if (request.is404) refuseUnknownRoute(server, request, reply);
    done();
  });
  instance.addHook("onResponse", (request, reply, done) => {
    logRequest(log, request, reply);
    done();
  });
  // It only writes cookies: those of requests are read by createSessionCookies().
  await instance.register(fastifyCookie, { hook: false });
  if (config.extraOrigins.length > 0) {
    await instance.register(fastifyCors, {
      origin: [...config.extraOrigins],
      methods: ["GET", "HEAD", "POST", "DELETE"],
      credentials: true,
      strictPreflight: false,
    });
  }
  addBodyParsers(instance);
  await addUploads(instance, config);

  return server;
}

function refuseSchemas(): never {
  throw new Error("Endpoints have no JSON Schema: their contract validates what comes in and goes out.");
}

/** Returns `true` if the client disconnected before its request was handled: it has no address any more. */
function isDisconnected({ ip }: { readonly ip: string | undefined }): boolean {
  return ip === undefined;
}

function checkRequestTarget(request: FastifyRequest, origins: AllowedOrigins): void {
  const { url, rawHeaders, headers, httpVersion } = request.raw;
  if (!url?.startsWith("/")) throw refuse("invalidRequest");
  if (url.length > maxUrlLength) throw refuse("urlTooLong");
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue") throw refuse("invalidRequest");
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host");
  const isHostMissing = hosts.length === 0 && httpVersion !== "1.0";
  if (hosts.length > 1 || isHostMissing) throw refuse("invalidRequest");
  // Node's parser accepts HTTP/0.9 and 2.0, and transfer codings that it does not decode.
  const coding = headers["transfer-encoding"] ?? "chunked";
  if (!/^1\.[01]$/.test(httpVersion) || coding.toLowerCase() !== "chunked") throw refuse("invalidRequest");
  if (!probePaths.has(url) && !origins.isAllowedHost(headers.host)) throw refuse("misdirectedRequest");
}
