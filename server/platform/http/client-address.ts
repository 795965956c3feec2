import type { IncomingMessage } from "node:http";

import proxyAddr from "@fastify/proxy-addr";

import { addressKey } from "./rate-limit.ts";

/** The client's address (IPv6: its /64) as the trusted proxies report it; headers of other clients are ignored. */
export function createClientAddressReader(trustProxy: readonly string[]): (request: IncomingMessage) => string {
  const isTrusted = proxyAddr.compile([...trustProxy]);
  return (request) => addressKey(proxyAddr(request, isTrusted));
}
