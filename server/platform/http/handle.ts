import type { Readable } from "node:stream";

import type { FastifyReply, FastifyRequest } from "fastify";

import { type BodyOf, type Endpoint, type ParamsOf, proofOf, type QueryOf, type ReplyOf } from "#contract/endpoint.ts";
import { explain } from "#contract/errors.ts";
import { checkBodyHead, holdsNul } from "./body.ts";
import { compressAnswer, mayCompress } from "./compression.ts";
import type { Door } from "./door.ts";
import { type Member, mayDo } from "./member.ts";
import { probes } from "./probes.ts";
import { addressKey, openRateLimiter } from "./rate.ts";
import { refuse, refuseFields } from "./refuse.ts";

/** One call of an endpoint: everything checked, everything typed. */
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
    cookie: string | null;
    member: Member | null;
  }
  interface FastifyContextConfig {
    fileField?: string | undefined;
  }
}

/**
 * Binds an endpoint of the contract to what happens. Checks come in a fixed order, the first failure answers:
 * client rate, size, content type, syntax, origin and CSRF token, login, permission, member rate, then the handler's own.
 */
export function handle<E extends Endpoint>(
  door: Door,
  endpoint: E,
  handler: (call: Call<E>) => Promise<ReplyOf<E> | Buffer | Readable | void>,
): void {
  const { app, config } = door;
  const { per } = endpoint.rate;
  const countCall = openRateLimiter(app, endpoint.rate, config.rateLimitFactor, ({ ip, member, cookie }) =>
    per === "ip" ? addressKey(ip) : per === "member" ? String(member?.id) : String(cookie),
  );
  door.endpoints.push(endpoint);

  app.route({
    method: endpoint.method,
    url: endpoint.path,
    bodyLimit: Math.max(1, endpoint.maxBody),
    config: { fileField: endpoint.fileField },
    onRequest: async (request, reply) => {
      request.cookie = door.cookies.read(request.headers.cookie);
      if (per === "ip") await countCall(request, reply);
      if (request.cookie === null) await door.countStranger(request, reply);
      checkBodyHead(request, endpoint);
    },
    preValidation: async (request, reply) => {
      checkProof(door, endpoint, request);
      const isAnonymous = request.cookie === null || probes.has(endpoint.path);
      request.member = isAnonymous ? null : await door.findMember(request.cookie!);
      if (request.cookie !== null && !request.member) await door.countStranger(request, reply);
      checkAudience(endpoint, request.member);
      if (per !== "ip") await countCall(request, reply);
      if (request.member) await door.countMember(request, reply);
    },
    handler: async (request, reply) => {
      const params = readParams(endpoint, request);
      const query = readQuery(endpoint, request);
      const body = readBody(endpoint, request);
      if (endpoint.status) reply.code(endpoint.status);
      // The checks above are what makes these types true.
      const call = { params, query, body, member: request.member, request, reply } as unknown as Call<E>;
      const result = await handler(call);
      if (endpoint.media) {
        if (!reply.hasHeader("content-type")) reply.type(endpoint.media);
        return reply.send(result);
      }
      reply.header("cache-control", "no-store").header("vary", "Cookie");
      return reply.send(endpoint.reply?.parse(result));
    },
    ...(mayCompress(endpoint) && { onSend: compressAnswer }),
  });
}

function checkProof({ cookies, origins }: Door, endpoint: Endpoint, { headers, cookie }: FastifyRequest): void {
  const proof = proofOf(endpoint);
  if (proof === "none") return;
  if (origins.isForeign(headers)) throw refuse("M403");
  if (proof === "requested-with") {
    if (headers["x-requested-with"] !== "XMLHttpRequest") throw refuse("M403");
    return;
  }
  const token = headers["x-xsrf-token"] ?? headers["x-csrf-token"];
  if (cookie === null || typeof token !== "string" || !cookies.isTokenOf(cookie, token)) throw refuse("M419");
}

function checkAudience({ who }: Endpoint, member: Member | null): void {
  if (who === "everyone") return;
  if (!member) throw refuse("M401");
  if (who !== "member" && !mayDo(member, who)) throw refuse("M403");
}

function readParams({ params }: Endpoint, request: FastifyRequest): unknown {
  if (!params) return {};
  const parsed = params.safeParse(request.params);
  if (!parsed.success || holdsNul(parsed.data)) throw refuse("M404");
  return parsed.data;
}

function readQuery({ query }: Endpoint, request: FastifyRequest): unknown {
  if (!query) return {};
  const parsed = query.safeParse(request.query, { reportInput: true });
  if (!parsed.success) throw refuseFields(explain(parsed.error.issues));
  return parsed.data;
}

function readBody({ body }: Endpoint, request: FastifyRequest): unknown {
  if (!body) return undefined;
  const isObject = typeof request.body === "object" && request.body !== null && !Array.isArray(request.body);
  const parsed = body.safeParse(isObject ? request.body : {}, { reportInput: true });
  if (!parsed.success) throw refuseFields(explain(parsed.error.issues));
  return parsed.data;
}
