import type { IncomingMessage, Server } from "node:http";
import { isIP } from "node:net";

import proxyAddr from "@fastify/proxy-addr";

import { addressKeys } from "#server/platform/limits/limits.ts";
import type { Log } from "#server/platform/log.ts";
import { networkOf } from "./request-log.ts";

/** Returns the rate limit keys of the client. Reads X-Forwarded-For only if a trusted proxy sent it. */
export function createClientAddressReader(trustProxy: readonly string[]): (request: IncomingMessage) => string[] {
  const isTrusted = proxyAddr.compile([...trustProxy]);
  return (request) => addressKeys(proxyAddr(request, isTrusted));
}

/**
 * Removes `X-Forwarded-For` if a trusted proxy forwards an invalid address, e.g. with a port, so that the address of
 * the socket is used. Logs only the first such request.
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
  // Runs before the listeners that handle the request.
  server.prependListener("request", check);
  server.prependListener("upgrade", check);
}

/** A zone such as `%eth0` has a meaning only on one computer. */
function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes("%");
}
