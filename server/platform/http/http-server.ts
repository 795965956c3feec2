import { randomUUID } from "node:crypto";

import fastifyCookie from "@fastify/cookie";
import fastifyCors from "@fastify/cors";
import fastify, { type FastifyRequest } from "fastify";

import type { Endpoint } from "#contract/endpoint.ts";
import type { Config } from "#server/config.ts";
import { isDiskFull } from "#server/db/connect.ts";
import type { Clock } from "#server/platform/clock.ts";
import { createRateLimiter } from "#server/platform/limits/limits.ts";
import type { Log } from "#server/platform/log.ts";
import type { RotatableSecrets } from "#server/platform/security/rotatable-secrets.ts";
import { minutes, seconds } from "#server/time.ts";
import { createAllowedOrigins, type AllowedOrigins } from "./allowed-origins.ts";
import { addBodyParsers } from "./body.ts";
import { removeInvalidForwardedFor } from "./client-address.ts";
import { sendError, createParserErrorHandler } from "./errors.ts";
import { createFileSlots } from "./file-slots.ts";
import { securityHeaders } from "./headers.ts";
import type { Member, TokenCaller } from "./member.ts";
import { probePaths } from "./probes.ts";
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
  readonly secrets: RotatableSecrets;
  /** `null` for unknown and ended sessions and for disabled members. */
  readonly findMember: (sessionId: string) => Promise<Member | null>;
  /** `null` for unknown and ended tokens and for disabled members. */
  readonly findTokenCaller: (token: string) => Promise<TokenCaller | null>;
  /** At least 1. */
  readonly countInstances: () => number;
}

const maxUrlLength = 2048;
const guestRate = { limit: 600, seconds: 60 };
const memberRate = { limit: 1200, seconds: 60 };
const tokenRate = { limit: 120, seconds: 60 };

export async function createHttpServer(options: HttpServerOptions) {
  const { config, clock, log, secrets, findMember, findTokenCaller, countInstances } = options;
  const headers = securityHeaders(config);
  const handleParserError = createParserErrorHandler(headers);
  const instance = fastify({
    logger: false,
    genReqId: () => randomUUID(),
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    // checkRequestTarget() refuses a missing Host header with a message; Node's own answer would be empty.
    http: {
      requireHostHeader: false,
      maxHeaderSize: 16_384,
      headersTimeout: seconds(10),
      connectionsCheckingInterval: seconds(1),
      // Ignores offers to upgrade to other protocols, such as HTTP/2.
      shouldUpgradeCallback: ({ headers: { upgrade } }) => upgrade?.toLowerCase() === "websocket",
    },
    requestTimeout: minutes(1),
    // For clients that read nothing of their answer. Longer than `requestTimeout`, so that a stalled client still gets
    // its 408.
    connectionTimeout: seconds(70),
    keepAliveTimeout: seconds(72),
    forceCloseConnections: "idle",
    // The `onRequest` hook below refuses with our own error.
    return503OnClosing: false,
    // The contract limits the length of path parameters.
    routerOptions: { maxParamLength: maxUrlLength },
    // The contract validates. Fastify's JSON Schema validation would load 150 files.
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
    headers,
    origins,
    /** A known path with another method gets 405 instead of 404. */
    endpoints: [] as Endpoint[],
    /** Files of the web app, for which other methods than GET get 405 as well. */
    files: new Set<string>(),
    findMember,
    findTokenCaller,
    countInstances,
    takeFileSlot: createFileSlots(clock),
    /** Requests that failed because the disk was full. */
    fullDiskErrors: 0,
    cookies: createSessionCookies(secrets, config.appUrl.protocol === "https:"),
    whenIdle: () => new Promise<void>((resolve) => (inFlight === 0 ? resolve() : (onIdle = resolve))),
    /** Limits for the requests to all endpoints together, including refused requests. */
    limits: {
      /** Per session. */
      members: createRateLimiter(memberRate, general),
      tokens: createRateLimiter(tokenRate, general),
      /** Per address, without a session cookie or API token. */
      guests: createRateLimiter(guestRate, general),
      /** Per address. */
      unknownSessions: createRateLimiter(guestRate, general),
    },
  };

  removeInvalidForwardedFor(instance.server, config.trustProxy, log);
  // Node would answer an unknown Expect header with an empty 417.
  instance.server.on(
    "checkExpectation",
    (request, response) => void instance.server.emit("request", request, response),
  );
  // Node would only close the socket, which has no other error listener.
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
    // Node also emits `close` if the client disconnects before the answer.
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
  // The plugin only writes cookies; createSessionCookies() reads those of requests.
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

/** The address is `undefined` if the client disconnected before its request was handled. */
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
