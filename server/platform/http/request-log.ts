import type { FastifyReply, FastifyRequest } from "fastify";

import type { Config } from "#server/config.ts";
import { describeDevice } from "#server/platform/device-name.ts";
import { addressKeys, networkOfKeys } from "#server/platform/limits/limits.ts";
import type { Log } from "#server/platform/log.ts";
import { probePaths } from "./probes.ts";

/** Other answers are logged as `request`. */
const statusEvents: Record<number, string> = { 403: "denied", 419: "csrf-refused" };

/** Logs no personal data: route pattern instead of URL, member id instead of name, network instead of address. */
export function logRequest(log: Log, request: FastifyRequest, reply: FastifyReply): void {
  const event = statusEvents[reply.statusCode] ?? "request";
  // Monitors probe every few seconds.
  const isHealthy = reply.statusCode === 200 && probePaths.has(request.routeOptions.url ?? "");
  log[isHealthy ? "debug" : "info"](event, {
    reqId: request.id,
    method: request.method,
    route: request.routeOptions.url ?? "unknown",
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime),
    user: request.member?.id,
    // The address is `undefined` if the client disconnected before its request was read.
    network: (request.ip as string | undefined) && networkOf(request.ip),
  });
}

/**
 * Warns once if TRUST_PROXY does not name the proxy that sent X-Forwarded-For. If APP_URL is http and TRUST_PROXY is
 * empty, the header may come from the command `doctor`, so it never warns.
 */
export function createProxyWarning(
  log: Log,
  { appUrl, trustProxy }: Pick<Config, "appUrl" | "trustProxy">,
): (request: FastifyRequest) => void {
  let isDone = appUrl.protocol === "http:" && trustProxy.length === 0;
  return (request) => {
    if (isDone || request.headers["x-forwarded-for"] === undefined) return;
    // The proxy's address and the client's.
    if (request.ips !== undefined && request.ips.length > 1) return;
    isDone = true;
    const reason = "TRUST_PROXY does not name this proxy, so all of its clients share its address and its rate limits.";
    log.warn("proxy-not-trusted", { network: networkOf(request.ip), reason });
  };
}

export type RequestSource = ReturnType<typeof sourceOf>;

/** Describes the sender in a form that may be logged. `device` is like `Firefox auf Android`. */
export function sourceOf({ id, ip, headers }: FastifyRequest) {
  return { reqId: id, network: networkOf(ip), device: describeDevice(headers["user-agent"] ?? "") };
}

/** The /24 of an IPv4 address or the /48 of an IPv6 address. */
export function networkOf(ip: string): string {
  return networkOfKeys(addressKeys(ip));
}
