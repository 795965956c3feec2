import type { Readable } from "node:stream";
import { setImmediate as endOfTurn } from "node:timers/promises";

import type { FastifyReply, FastifyRequest } from "fastify";

import { tokenPattern } from "#contract/api-tokens.ts";
import type { BodyOf, Endpoint, FormFile, ParamsOf, QueryOf, ReplyInputOf } from "#contract/endpoint.ts";
import { type FieldProblems, toFieldProblems } from "#contract/errors.ts";
import { parseValidFields } from "#contract/labels.ts";
import { addressKeys, createRateLimiter, networkOfKeys } from "#server/platform/limits/limits.ts";
import { days } from "#server/time.ts";
import { checkBodyHeaders, containsUnstorable } from "./body.ts";
import { compressReply, canCompress } from "./compression.ts";
import type { HttpServer } from "./http-server.ts";
import { checkRecentPasskey, checkRecentPassword, hasPermissions, type Member } from "./member.ts";
import { probePaths } from "./probes.ts";
import { refuse, refuseFields } from "./refusal.ts";
import { SharedReply } from "./shared-reply.ts";
import { createUploadReceiver, type ReceiveUpload } from "./upload.ts";

export interface Call<E extends Endpoint> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** `null` for a caller without a login. */
  readonly member: E["who"] extends "everyone" ? Member | null : Member;
  readonly receiveUpload: E extends { readonly file: FormFile } ? ReceiveUpload<E> : null;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

declare module "fastify" {
  interface FastifyRequest {
    /** Unverified session id; `null` if the request has an API token. */
    sessionCookie: string | null;
    /** Unverified; a request with an API token has no session. */
    apiToken: string | null;
    /** Rate limit keys under which `limits.unknownSessions` counted the request, if it did. */
    unknownSessionKeys: readonly string[] | null;
    member: Member | null;
  }
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
}

/**
 * The checks run in a fixed order, and the first that fails determines the answer: rate per address; size, content type
 * and syntax of the body; origin and CSRF token; login; scope of the API token; permission; rate per member; fields;
 * recent passkey or password; then the handler's own checks. A handler may return nothing if all fields of its reply
 * have defaults. `checkFields` finds what the schema of the body cannot; it gets the valid fields, so that a refusal
 * names the problems of all fields at once.
 */
export function handle<E extends Endpoint>(
  http: HttpServer,
  endpoint: E,
  handler: (call: Call<E>) => Promise<ReplyInputOf<E> | SharedReply | Buffer | Readable | void>,
  checkFields?: (fields: Partial<BodyOf<E>>) => Promise<FieldProblems>,
): void {
  const { fastify, config, clock, limits } = http;
  const { per } = endpoint.rate;
  const options = {
    factor: config.rateLimitFactor,
    clock,
    ...(endpoint.isRateDivided && { countInstances: http.countInstances }),
  };
  const rateLimiter = createRateLimiter(endpoint.rate, options);
  const { perDay } = endpoint;
  const dayRate = { limit: perDay ?? Infinity, seconds: days(1) / 1000 };
  const dailyLimiter = createRateLimiter(dayRate, { ...options, isGeneral: true });
  const isProbe = probePaths.has(endpoint.path);
  http.endpoints.push(endpoint);

  fastify.route({
    method: endpoint.method,
    url: endpoint.path,
    bodyLimit: Math.max(1, endpoint.maxBody),
    config: { endpoint },
    onRequest: (request, reply, done) => {
      const token = endpoint.who === "everyone" ? null : readApiToken(request.headers.authorization);
      const cookie = token === null ? http.cookies.readSession(request.headers.cookie) : null;
      request.apiToken = token;
      request.sessionCookie = cookie;
      const id = token ?? cookie;
      const { isCounting } = token === null ? limits.members : limits.tokens;
      if (per === "ip") rateLimiter.check(addressKeys(request.ip), reply);
      if (per === "network") rateLimiter.check([networkOfKeys(addressKeys(request.ip))], reply);
      if (id === null || isProbe) limits.guests.check(addressKeys(request.ip), reply);
      else if (!isCounting(id)) countUnknownSession(http, request, reply);
      checkBodyHeaders(request, endpoint);
      done();
    },
    handler: async (request, reply) => {
      await checkCsrf(http, endpoint, request);
      const { apiToken } = request;
      const id = isProbe ? null : (apiToken ?? request.sessionCookie);
      const caller = apiToken === null ? null : await http.findTokenCaller(apiToken);
      const member = caller?.member ?? (apiToken === null && id !== null ? await http.findMember(id) : null);
      request.member = member;
      if (member) limits.unknownSessions.uncount(request.unknownSessionKeys ?? []);
      else if (id !== null && !request.unknownSessionKeys) countUnknownSession(http, request, reply);
      if (caller && !endpoint.tokens?.includes(caller.scope)) throw refuse("tokenNotPermitted");
      checkAccess(endpoint, member);
      // Per API token, so that a program does not use up the limit of its member.
      const limited = per === "member" && apiToken === null ? member?.id : id;
      if (per === "session" || per === "member") rateLimiter.check([String(limited)], reply);
      if (member) (apiToken === null ? limits.members : limits.tokens).check([id!], reply);
      if (member && perDay !== undefined) dailyLimiter.check([String(member.id)], reply);
      const params = parseParams(endpoint, request);
      const query = parseQuery(endpoint, request);
      if (checkFields) await checkAllFields(endpoint, request, checkFields);
      const body = parseBody(endpoint, request);
      if (config.adminPasskey && endpoint.who.includes("admin")) checkRecentPasskey(member!, clock.now());
      if (endpoint.needsRecentPassword) checkRecentPassword(member!, clock.now());
      if (endpoint.status) reply.code(endpoint.status);
      reply.header("cache-control", "no-store");
      // `Vary: Cookie` would make browsers refetch cached pictures in each new session.
      if (!endpoint.media || endpoint.path.startsWith("/api/")) reply.header("vary", "Cookie");
      const receiveUpload = endpoint.file ? createUploadReceiver(config, request, endpoint) : null;
      const call = { params, query, body, member, receiveUpload, request, reply } as unknown as Call<E>;
      if (endpoint.media) await http.takeFileSlot(member ? String(member.id) : request.ip, reply);
      const result = await handler(call);
      if (endpoint.media) {
        if (!reply.hasHeader("content-type")) reply.type(endpoint.media);
        return result;
      }
      // Sends GET replies together at the end of an event loop turn: with 16 connections, 1.7 times as many requests.
      if (endpoint.method === "GET") await endOfTurn();
      if (result instanceof SharedReply) return result.encodeFor(request, reply);
      return endpoint.reply?.parse(result ?? {});
    },
    ...(canCompress(endpoint) && { onSend: compressReply }),
  });
}

/** `null` for any other content, which reverse proxies may add. */
function readApiToken(authorization: string | undefined): string | null {
  const token = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
  return token !== undefined && tokenPattern.test(token) ? token : null;
}

/** Limits the database queries that invented session ids and API tokens cause. */
function countUnknownSession({ limits }: HttpServer, request: FastifyRequest, reply: FastifyReply): void {
  request.unknownSessionKeys = addressKeys(request.ip);
  limits.unknownSessions.check(request.unknownSessionKeys, reply);
}

async function checkCsrf(
  { cookies, origins }: HttpServer,
  endpoint: Endpoint,
  { headers, sessionCookie, apiToken }: FastifyRequest,
): Promise<void> {
  const { csrf } = endpoint;
  // Browsers never send API tokens automatically.
  if (csrf === "none" || apiToken !== null) return;
  if (origins.isCrossOrigin(headers)) throw refuse("forbidden");
  if (csrf === "requested-with") {
    if (headers["x-requested-with"] !== "XMLHttpRequest") throw refuse("forbidden");
    return;
  }
  for (const token of [headers["x-xsrf-token"], headers["x-csrf-token"]]) {
    const isOwn =
      sessionCookie !== null && typeof token === "string" && (await cookies.isCsrfTokenOf(sessionCookie, token));
    if (isOwn) return;
  }
  throw refuse("csrfTokenMismatch");
}

function checkAccess({ who }: Endpoint, member: Member | null): void {
  if (who === "everyone") return;
  if (!member) throw refuse("notLoggedIn");
  if (who !== "member" && !hasPermissions(member, who)) throw refuse("forbidden");
}

function parseParams({ params }: Endpoint, request: FastifyRequest): unknown {
  if (!params) return {};
  const parsed = params.safeParse(request.params);
  if (!parsed.success || containsUnstorable(parsed.data)) throw refuse("notFound");
  return parsed.data;
}

function parseQuery({ query }: Endpoint, request: FastifyRequest): unknown {
  if (!query) return {};
  const parsed = query.safeParse(request.query, { reportInput: true });
  if (!parsed.success) throw refuseFields(toFieldProblems(parsed.error.issues));
  return parsed.data;
}

async function checkAllFields<E extends Endpoint>(
  { body }: E,
  request: FastifyRequest,
  checkFields: (fields: Partial<BodyOf<E>>) => Promise<FieldProblems>,
): Promise<void> {
  const input = readObject(request);
  const { error } = body!.safeParse(input, { reportInput: true });
  const found = await checkFields(parseValidFields(body!, input) as Partial<BodyOf<E>>);
  const problems = { ...toFieldProblems(error?.issues ?? []), ...found };
  if (Object.keys(problems).length > 0) throw refuseFields(problems);
}

function readObject({ body }: FastifyRequest): Readonly<Record<string, unknown>> {
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  return isObject ? (body as Record<string, unknown>) : {};
}

function parseBody({ body }: Endpoint, request: FastifyRequest): unknown {
  if (!body) return undefined;
  const parsed = body.safeParse(readObject(request), { reportInput: true });
  if (!parsed.success) throw refuseFields(toFieldProblems(parsed.error.issues));
  return parsed.data;
}
