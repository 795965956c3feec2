import type { IncomingMessage, Server } from "node:http";
import { isIP } from "node:net";

import proxyAddr from "@fastify/proxy-addr";

import type { Log } from "#server/platform/log.ts";
import { addressKeys } from "./rate-limit.ts";
import { networkOf } from "./request-log.ts";

/** Creates the function that returns the rate limit keys of a client's address. Only trusted proxies may report addresses. */
export function createClientAddressReader(trustProxy: readonly string[]): (request: IncomingMessage) => string[] {
  const isTrusted = proxyAddr.compile([...trustProxy]);
  return (request) => addressKeys(proxyAddr(request, isTrusted));
}

/**
 * Removes `X-Forwarded-For` from requests and upgrades if a trusted proxy forwards an invalid address, e.g. with a port; the
 * socket's address counts instead. Logs the first such request.
 */
export function removeInvalidForwardedFor(server: Server, trustProxy: readonly string[], log: Log): void {
  const isTrusted = proxyAddr.compile([...trustProxy]);
  let isLogged = false;
  const check = (request: IncomingMessage): void => {
    const address = proxyAddr(request, isTrusted) as string | undefined;
    // `undefined` if the client has disconnected.
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

/** Returns `true` for addresses without a zone (`%`), which is only meaningful on one machine. */
function isAddress(text: string): boolean {
  return isIP(text) !== 0 && !text.includes("%");
}
