import type { FastifyReply, FastifyRequest } from "fastify";

import type { Log } from "#server/platform/log.ts";
import { probePaths } from "./probes.ts";
import { addressKey } from "./rate-limit.ts";

/** Answers that an operator may want to look for. */
const statusEvents: Record<number, string> = { 403: "denied", 419: "csrf-refused" };

/** One line per answer: the route's pattern instead of the URL, a number instead of a name, a network instead of an address. */
export function logRequest(log: Log, request: FastifyRequest, reply: FastifyReply): void {
  const event = statusEvents[reply.statusCode] ?? "request";
  // Whoever watches asks every few seconds: only what is not well is worth a line.
  const isHealthy = reply.statusCode === 200 && probePaths.has(request.routeOptions.url ?? "");
  log[isHealthy ? "debug" : "info"](event, {
    reqId: request.id,
    method: request.method,
    route: request.routeOptions.url ?? "unknown",
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime),
    user: request.member?.id,
    // Nobody's, where the client was gone before its request was read.
    network: (request.ip as string | undefined) && networkOf(request.ip),
  });
}

/** The /24 of an IPv4 address, the /48 of an IPv6 one. */
export function networkOf(ip: string): string {
  const v4 = /(\d+\.\d+\.\d+)\.\d+$/.exec(ip);
  if (v4) return `${v4[1]}.0/24`;
  return `${addressKey(ip).split(":").slice(0, 3).join(":")}::/48`;
}
