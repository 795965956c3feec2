import type { IncomingMessage, Server } from "node:http";
import { isIP } from "node:net";

import proxyAddr from "@fastify/proxy-addr";

import { addressKeys } from "#server/platform/limits/limits.ts";
import type { Log } from "#server/platform/log.ts";
import { networkOf } from "./request-log.ts";

/**
 * Creates a function that returns the rate limit keys of the client that sent a request.
 * X-Forwarded-For is read only if a trusted proxy sent it.
 */
export function createClientAddressReader(trustProxy: readonly string[]): (request: IncomingMessage) => string[] {
  const isTrusted = proxyAddr.compile([...trustProxy]);
  return (request) => addressKeys(proxyAddr(request, isTrusted));
}

/**
 * Removes `X-Forwarded-For` from HTTP and WebSocket requests if a trusted proxy forwards an invalid
 * address, e.g. with a port. The address of the socket is then used. Logs only the first such
 * request.
 */
export function removeInvalidForwardedFor(server: Server, trustProxy: readonly string[], log: Log): void {
  const isTrusted = proxyAddr.compile([...trustProxy]);
  let isLogged = false;
  const check = (request: IncomingMessage): void => {
    const address = proxyAddr(request, isTrusted) as string | undefined;
    // The address is `undefined` if the client has disconnected.
    if (address === undefined || address === request.socket.remoteAddress || isAddress(address)) return;
    delete request.headers["x-forwarded-for"];
    if (isLogged) return;
    isLogged = true;
    const reason =
      "X-Forwarded-For of this proxy holds no plain address, so all of its clients share its address and its rate limits.";
    log.warn("forwarded-address-invalid", { network: networkOf(request.socket.remoteAddress!), reason });
  };
  // Prepends the check, so that it runs before the listeners that handle the request.
  server.prependListener("request", check);
  server.prependListener("upgrade", check);
}

/**
 * Returns `true` for an IP address without a zone. A zone such as `%eth0` has a meaning only on one
 * computer.
 */
function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes("%");
}
