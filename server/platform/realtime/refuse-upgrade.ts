import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** Refuses an upgrade with an HTTP status, after which clients wait longer and longer, and closes the connection. */
export function refuseUpgrade(
  socket: Duplex,
  status: 403 | 404 | 503,
  headers: Readonly<Record<string, string>>,
): void {
  if (socket.destroyed) return;
  socket.once("finish", () => socket.destroy());
  const all = { ...headers, connection: "close", "content-length": 0, ...(status === 503 && { "retry-after": 5 }) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n`);
}
