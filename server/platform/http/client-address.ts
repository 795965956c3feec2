import type { IncomingMessage } from "node:http";

import proxyAddr from "@fastify/proxy-addr";

import { addressKeys } from "./rate-limit.ts";

/** The keys of the client's address as the trusted proxies report it; headers of other clients are ignored. */
export function createClientAddressReader(trustProxy: readonly string[]): (request: IncomingMessage) => string[] {
  const isTrusted = proxyAddr.compile([...trustProxy]);
  return (request) => addressKeys(proxyAddr(request, isTrusted));
}
