import { connect } from "node:net";

import type { Visitor } from "#test/visitor.ts";
import type { Server } from "./server.ts";

/** A request of which everything has been sent but the last byte of its body. */
export interface Parked {
  /** Sends the last byte and resolves to the raw answer once the connection ended; "" where none came. */
  release(): Promise<string>;
  abandon(): void;
}

/** Parks a POST: the server has read its head and waits for the rest. */
export async function park({ port }: Server, visitor: Visitor, path: string, body: object): Promise<Parked> {
  const text = JSON.stringify(body);
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${visitor.host}`,
    `Cookie: ${visitor.cookieHeader}`,
    `X-XSRF-TOKEN: ${visitor.token}`,
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("data", (chunk) => (received += chunk.toString()));
  socket.on("error", () => {});
  const ended = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
  await new Promise<void>((resolve) => {
    socket.write(`${head.join("\r\n")}\r\n\r\n${text.slice(0, -1)}`, () => resolve());
  });
  return {
    async release() {
      socket.write(text.slice(-1));
      await ended;
      return received;
    },
    abandon: () => void socket.destroy(),
  };
}

/** The status of a raw answer; 0 where none came. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
}
