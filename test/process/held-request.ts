import { connect } from "node:net";

import type { Client } from "#test/client.ts";
import type { ServerProcess } from "./server-process.ts";

/** A request whose last body byte has not been sent yet. */
export interface HeldRequest {
  /**
   * Sends the last byte, and resolves to the raw answer once the connection has closed, or to ""
   * without an answer.
   */
  release(): Promise<string>;
  abandon(): void;
}

/** Starts a POST request; resolves once the server has read its headers and waits for the body. */
export async function holdRequest(
  { port }: ServerProcess,
  client: Client,
  path: string,
  body: object,
): Promise<HeldRequest> {
  const text = JSON.stringify(body);
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${client.host}`,
    `Cookie: ${client.cookieHeader}`,
    `X-XSRF-TOKEN: ${client.csrfToken}`,
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(text)}`,
    "Expect: 100-continue",
  ];
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("data", (chunk) => (received += chunk.toString()));
  socket.on("error", () => {});
  const ended = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
  socket.write(`${head.join("\r\n")}\r\n\r\n${text.slice(0, -1)}`);
  // Waits for the interim answer 100 Continue.
  await new Promise((resolve) => socket.once("data", resolve).once("close", resolve));
  return {
    async release() {
      socket.write(text.slice(-1));
      await ended;
      return received;
    },
    abandon: () => void socket.destroy(),
  };
}

/** Returns the HTTP status of a raw answer, or 0 if the answer is empty. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (?!100)(\d+)/m.exec(answer)?.[1] ?? 0);
}
