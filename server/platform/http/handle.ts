import type { Readable } from "node:stream";
import { setImmediate as endOfTurn } from "node:timers/promises";

import type { FastifyReply, FastifyRequest } from "fastify";

import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyInputOf } from "#contract/endpoint.ts";
import { toFieldProblems } from "#contract/errors.ts";
import { days } from "#server/time.ts";
import { checkBodyHeaders, containsUnstorable } from "./body.ts";
import { compressReply, canCompress } from "./compression.ts";
import type { HttpServer } from "./http-server.ts";
import { checkRecentPasskey, checkRecentPassword, hasPermissions, type Member } from "./member.ts";
import { probePaths } from "./probes.ts";
import { addressKeys, createRateLimiter } from "./rate-limit.ts";
import { refuse, refuseFields } from "./refusal.ts";

/** A request after all checks, with the types of its endpoint. */
export interface Call<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** Null only where the contract lets everyone in. */
  readonly member: E["who"] extends "everyone" ? Member | null : Member;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

declare module "fastify" {
  interface FastifyRequest {
    /** The session id in the cookie, whether it is alive or not. */
    sessionCookie: string | null;
    /** The keys of the address, if the request was counted as one with an unknown session. */
    unknownSessionKeys: readonly string[] | null;
    member: Member | null;
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
}

/**
 * Binds an endpoint of the contract to its handler. Checks come in a fixed order, and the first that fails is the answer: rate per
 * address, size, content type, syntax, origin and CSRF token, login, permission, rate per member, fields, recent passkey or
 * password, then those of the handler. A handler whose reply has defaults for everything need not return anything.
 */
export function handle<E extends Endpoint>(
  http: HttpServer,
  endpoint: E,
  handler: (call: Call<E>) => Promise<ReplyInputOf<E> | Buffer | Readable | void>,
): void {
  const { fastify, config, clock, limits } = http;
  const { per } = endpoint.rate;
  const rateLimiter = createRateLimiter(endpoint.rate, { factor: config.rateLimitFactor, clock });
  const { perDay } = endpoint;
  const dayRate = { limit: perDay ?? Infinity, seconds: days(1) / 1000 };
  const dailyLimiter = createRateLimiter(dayRate, { factor: config.rateLimitFactor, clock, isGeneral: true });
  const isProbe = probePaths.has(endpoint.path);
  http.endpoints.push(endpoint);

  fastify.route({
    method: endpoint.method,
    url: endpoint.path,
    bodyLimit: Math.max(1, endpoint.maxBody),
    config: { endpoint },
    onRequest: (request, reply, done) => {
      const id = http.cookies.readSession(request.headers.cookie);
      request.sessionCookie = id;
      if (per === "ip") rateLimiter.count(addressKeys(request.ip), reply);
      if (id === null || isProbe) limits.guests.count(addressKeys(request.ip), reply);
      else if (!limits.members.isCounting(id)) countUnknownSession(http, request, reply);
      checkBodyHeaders(request, endpoint);
      done();
    },
    handler: async (request, reply) => {
      checkCsrf(http, endpoint, request);
      const id = isProbe ? null : request.sessionCookie;
      const member = id === null ? null : await http.findMember(id);
      request.member = member;
      if (member) limits.unknownSessions.uncount(request.unknownSessionKeys ?? []);
      else if (id !== null && !request.unknownSessionKeys) countUnknownSession(http, request, reply);
      checkAccess(endpoint, member);
      if (per !== "ip") rateLimiter.count([per === "member" ? String(member?.id) : String(id)], reply);
      if (member) limits.members.count([id!], reply);
      if (member && perDay !== undefined) dailyLimiter.count([String(member.id)], reply);
      const params = parseParams(endpoint, request);
      const query = parseQuery(endpoint, request);
      const body = parseBody(endpoint, request);
      if (config.adminPasskey && endpoint.who.includes("admin")) checkRecentPasskey(member!, clock.now());
      if (endpoint.needsRecentPassword) checkRecentPassword(member!, clock.now());
      if (endpoint.status) reply.code(endpoint.status);
      reply.header("cache-control", "no-store");
      // Pictures may be kept by the browser; with Vary it would fetch them again with each new session.
      if (!endpoint.media || endpoint.path.startsWith("/api/")) reply.header("vary", "Cookie");
      // The checks above are what makes these types true.
      const call = { params, query, body, member, request, reply } as unknown as Call<E>;
      if (endpoint.media) await http.takeFileSlot(member ? String(member.id) : request.ip, reply);
      const result = await handler(call);
      if (endpoint.media) {
        if (!reply.hasHeader("content-type")) reply.type(endpoint.media);
        return result;
      }
      // Requests that arrived together are all read before the first answer is written. Answers that are written one after the
      // other wake the receiver only once: with 16 connections 1.7 times as many are answered.
      if (endpoint.method === "GET") await endOfTurn();
      return endpoint.reply?.parse(result ?? {});
    },
    ...(canCompress(endpoint) && { onSend: compressReply }),
  });
}

/** Before anything is looked up: invented session ids must not cause queries without limit. */
function countUnknownSession({ limits }: HttpServer, request: FastifyRequest, reply: FastifyReply): void {
  request.unknownSessionKeys = addressKeys(request.ip);
  limits.unknownSessions.count(request.unknownSessionKeys, reply);
}

function checkCsrf(
  { cookies, origins }: HttpServer,
  endpoint: Endpoint,
  { headers, sessionCookie }: FastifyRequest,
): void {
  const { csrf } = endpoint;
  if (csrf === "none") return;
  if (origins.isCrossOrigin(headers)) throw refuse("M403");
  if (csrf === "requested-with") {
    if (headers["x-requested-with"] !== "XMLHttpRequest") throw refuse("M403");
    return;
  }
  const tokens = [headers["x-xsrf-token"], headers["x-csrf-token"]];
  const isOwn = (token: unknown) =>
    sessionCookie !== null && typeof token === "string" && cookies.isCsrfTokenOf(sessionCookie, token);
  if (!tokens.some(isOwn)) throw refuse("M419");
}

function checkAccess({ who }: Endpoint, member: Member | null): void {
  if (who === "everyone") return;
  if (!member) throw refuse("M401");
  if (who !== "member" && !hasPermissions(member, who)) throw refuse("M403");
}

function parseParams({ params }: Endpoint, request: FastifyRequest): unknown {
  if (!params) return {};
  const parsed = params.safeParse(request.params);
  if (!parsed.success || containsUnstorable(parsed.data)) throw refuse("M404");
  return parsed.data;
}

function parseQuery({ query }: Endpoint, request: FastifyRequest): unknown {
  if (!query) return {};
  const parsed = query.safeParse(request.query, { reportInput: true });
  if (!parsed.success) throw refuseFields(toFieldProblems(parsed.error.issues));
  return parsed.data;
}

function parseBody({ body }: Endpoint, request: FastifyRequest): unknown {
  if (!body) return undefined;
  const isObject = typeof request.body === "object" && request.body !== null && !Array.isArray(request.body);
  const parsed = body.safeParse(isObject ? request.body : {}, { reportInput: true });
  if (!parsed.success) throw refuseFields(toFieldProblems(parsed.error.issues));
  return parsed.data;
}
