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
import type { Member } from "./member.ts";
import { probePaths } from "./probes.ts";
import { createRateLimiter } from "./rate-limit.ts";
import { refuse } from "./refusal.ts";
import { createProxyWarning, logRequest } from "./request-log.ts";
import { createSessionCookies } from "./session-cookies.ts";
import { refuseUnknownRoute } from "./unknown-routes.ts";

export type HttpServer = Awaited<ReturnType<typeof createHttpServer>>;

interface HttpServerOptions {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly appKey: string;
  /** The member of a session id; null for unknown and ended sessions and for disabled members. */
  readonly findMember: (sessionId: string) => Promise<Member | null>;
}

const maxUrlLength = 2048;
const guestRate = { limit: 600, seconds: 60 };
const memberRate = { limit: 1200, seconds: 60 };

/** The HTTP server with everything that is checked for every request. */
export async function createHttpServer({ config, clock, log, appKey, findMember }: HttpServerOptions) {
  const headers = securityHeaders(config.appUrl);
  const handleParserError = createParserErrorHandler(headers);
  const instance = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    // A missing Host header is answered below, with a message, instead of by Node with an empty body.
    http: {
      requireHostHeader: false,
      maxHeaderSize: 16_384,
      headersTimeout: seconds(10),
      connectionsCheckingInterval: seconds(1),
      // Offers of another protocol, such as HTTP/2, are ignored.
      shouldUpgradeCallback: ({ headers: { upgrade } }) => upgrade?.toLowerCase() === "websocket",
    },
    requestTimeout: minutes(1),
    // A client that reads nothing of the answer for this long is disconnected. Later than the timeout above, whose 408 would
    // otherwise not reach a client that stopped within its request.
    connectionTimeout: seconds(70),
    keepAliveTimeout: seconds(72),
    forceCloseConnections: "idle",
    // Refused below, in our own words.
    return503OnClosing: false,
    // The contract decides what a placeholder may hold.
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
    /** The headers of every answer. */
    headers,
    origins,
    /** Every endpoint that has been bound, for the 405 of the methods it does not take. */
    endpoints: [] as Endpoint[],
    /** The paths of all files of the web app, for the same. */
    files: new Set<string>(),
    findMember,
    takeFileSlot: createFileSlots(clock),
    /** How many requests failed for want of space. */
    fullDiskErrors: 0,
    cookies: createSessionCookies(appKey, config.appUrl.protocol === "https:"),
    /** Resolves as soon as no request is being answered. */
    whenIdle: () => new Promise<void>((resolve) => (inFlight === 0 ? resolve() : (onIdle = resolve))),
    /** The limits over all endpoints, also for requests that are refused. */
    limits: {
      /** By session. */
      members: createRateLimiter(memberRate, general),
      /** By address: requests without a session cookie. */
      guests: createRateLimiter(guestRate, general),
      /** By address: requests with a session cookie, unless it turns out to be that of a member. */
      unknownSessions: createRateLimiter(guestRate, general),
    },
  };

  removeInvalidForwardedFor(instance.server, config.trustProxy, log);
  // By itself, Node answers an unknown Expect header with 417 and no body.
  instance.server.on(
    "checkExpectation",
    (request, response) => void instance.server.emit("request", request, response),
  );
  // By itself, Node closes the socket on CONNECT. Errors of that socket have no other listener.
  instance.server.on("connect", (_request, socket) =>
    handleParserError(
      new Error("CONNECT"),
      socket.on("error", () => {}),
    ),
  );
  instance.decorateRequest("sessionCookie", null);
  instance.decorateRequest("unknownSessionKeys", null);
  instance.decorateRequest("member", null);
  instance.setErrorHandler((error, request, reply) => {
    if (isDiskFull(error)) server.fullDiskErrors += 1;
    sendError(log, error, request, reply);
  });
  instance.setNotFoundHandler(() => {
    throw refuse("M404");
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
    if (isClosing) throw refuse("M503", { seconds: 1 });
    if (isDisconnected(request)) throw refuse("M400");
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

  return server;
}

function refuseSchemas(): never {
  throw new Error("Endpoints have no JSON Schema: their contract validates what comes in and goes out.");
}

/** Whether the client disconnected before its request was handled: it has no address any more. */
function isDisconnected({ ip }: { readonly ip: string | undefined }): boolean {
  return ip === undefined;
}

function checkRequestTarget(request: FastifyRequest, origins: AllowedOrigins): void {
  const { url, rawHeaders, headers, httpVersion } = request.raw;
  if (!url?.startsWith("/")) throw refuse("M400");
  if (url.length > maxUrlLength) throw refuse("M414");
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue") throw refuse("M400");
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "host");
  const isHostMissing = hosts.length === 0 && httpVersion !== "1.0";
  if (hosts.length > 1 || isHostMissing) throw refuse("M400");
  // Node's parser accepts HTTP/0.9 and 2.0, and transfer codings that it does not decode.
  const coding = headers["transfer-encoding"] ?? "chunked";
  if (!/^1\.[01]$/.test(httpVersion) || coding.toLowerCase() !== "chunked") throw refuse("M400");
  if (!probePaths.has(url) && !origins.isAllowedHost(headers.host)) throw refuse("M421");
}
