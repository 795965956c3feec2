import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import type { Rate } from "#contract/endpoint.ts";
import { refuse } from "./refusal.ts";

/** Counts a request and refuses it with 429 if there were too many. */
export type RateLimiter = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * A limit with its own window per key. `factor` multiplies the limit, for load tests. The plugin's own hooks all run at one
 * point of a request; the order of checks needs two.
 */
export function createRateLimiter(
  app: FastifyInstance,
  rate: Rate,
  factor: number,
  keyOf: (request: FastifyRequest) => string,
): RateLimiter {
  const count = app.createRateLimit({
    max: Math.max(1, Math.floor(rate.limit * factor)),
    timeWindow: rate.seconds * 1000,
    keyGenerator: keyOf,
  });
  return async (request, reply) => {
    const result = await count(request);
    if (result.isAllowed) return;
    // The endpoint's own limit is counted first and is the tighter one; the general one sets headers only when it is exceeded.
    if (result.isExceeded || !reply.hasHeader("x-ratelimit-limit"))
      reply.headers({
        "x-ratelimit-limit": result.max,
        "x-ratelimit-remaining": result.remaining,
        "x-ratelimit-reset": result.ttlInSeconds,
      });
    if (result.isExceeded) throw refuse("M429", { seconds: Math.max(1, result.ttlInSeconds) });
  };
}

/** An IPv4 address, or the /64 of an IPv6 one: which stands for a household. */
export function addressKey(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped) return mapped[1]!;
  if (!ip.includes(":")) return ip;
  const [head = "", tail] = ip.toLowerCase().split("::");
  const front = head === "" ? [] : head.split(":");
  const back = tail ? tail.split(":") : [];
  const zeros = tail === undefined ? [] : Array<string>(8 - front.length - back.length).fill("0");
  return `${[...front, ...zeros, ...back]
    .slice(0, 4)
    .map((part) => part.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}
