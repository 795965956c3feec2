import type { Duplex } from "node:stream";

import { type ErrorBody, refusals } from "#contract/errors.ts";
import { STATUS_CODES } from "#server/platform/node-http.ts";

/** Clients retry with backoff. */
export function refuseUpgrade(
  socket: Duplex,
  code: "forbidden" | "notFound" | "misdirectedRequest" | "unavailable",
  headers: Readonly<Record<string, string>>,
): void {
  if (socket.destroyed) return;
  socket.once("finish", () => socket.destroy());
  const { status, text } = refusals[code];
  const body = JSON.stringify({ message: text, code } satisfies ErrorBody);
  const all = {
    ...headers,
    "cache-control": "no-store",
    connection: "close",
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    ...(status === 503 && { "retry-after": 5 }),
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
}
