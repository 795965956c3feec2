import { connect } from "node:net";

import type { ClientResponse } from "./client.ts";

/**
 * Sends bytes unchanged, for requests that no HTTP client would send, and reads the answer until
 * the server closes the connection.
 */
export async function sendRawRequest(url: string, text: string): Promise<ClientResponse> {
  const { hostname, port } = new URL(url);
  const answer = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let read = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => (read += chunk));
    socket.on("end", () => resolve(read)).on("error", reject);
  });
  const [head = "", body = ""] = answer.split(/\r\n\r\n(.*)/s);
  const [statusLine = "", ...lines] = head.split("\r\n");
  return {
    status: Number(statusLine.split(" ")[1]),
    headers: Object.fromEntries(
      lines.map((line) => [line.split(": ")[0]!.toLowerCase(), line.slice(line.indexOf(": ") + 2)]),
    ),
    bytes: Buffer.from(body),
    text: body,
    json: body === "" ? null : JSON.parse(body),
  };
}
