import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";

/** Refuses an upgrade on the HTTP level, which clients answer with growing pauses, and lets go of the socket. */
export function refuse(socket: Duplex, status: 403 | 404 | 503): void {
  if (socket.destroyed) return;
  socket.once("finish", () => socket.destroy());
  const retry = status === 503 ? "Retry-After: 5\r\n" : "";
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n${retry}Content-Length: 0\r\n\r\n`);
}
