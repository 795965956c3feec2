import type { IncomingMessage, Server } from "node:http";
import { isIP } from "node:net";

import proxyAddr from "@fastify/proxy-addr";

import type { Log } from "#server/platform/log.ts";
import { addressKeys } from "./rate-limit.ts";
import { networkOf } from "./request-log.ts";

/** The keys of the client's address as the trusted proxies report it; headers of other clients are ignored. */
export function createClientAddressReader(trustProxy: readonly string[]): (request: IncomingMessage) => string[] {
  const isTrusted = proxyAddr.compile([...trustProxy]);
  return (request) => addressKeys(proxyAddr(request, isTrusted));
}

/**
 * Removes `X-Forwarded-For` from requests and upgrades where a trusted proxy forwards no address, e.g. one with a port: the
 * address of the socket counts instead. Logs the first such request.
 */
export function removeInvalidForwardedFor(server: Server, trustProxy: readonly string[], log: Log): void {
  const isTrusted = proxyAddr.compile([...trustProxy]);
  let isLogged = false;
  const check = (request: IncomingMessage): void => {
    const address = proxyAddr(request, isTrusted) as string | undefined;
    // Undefined if the client has disconnected.
    if (address === undefined || address === request.socket.remoteAddress || isAddress(address)) return;
    delete request.headers["x-forwarded-for"];
    if (isLogged) return;
    isLogged = true;
    const reason =
      "X-Forwarded-For of this proxy holds no plain address, so all of its clients share its address and its rate limits.";
    log.warn("forwarded-address-invalid", { network: networkOf(request.socket.remoteAddress!), reason });
  };
  // Before the listeners that handle the request.
  server.prependListener("request", check);
  server.prependListener("upgrade", check);
}

/** The zone of an IPv6 address, behind `%`, has a meaning on one machine only. */
function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes("%");
}
