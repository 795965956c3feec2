import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";

import { createCertificates } from "./certificates.ts";
import { endWithTest } from "./cleanup.ts";

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type WebhookReceiver = Awaited<ReturnType<typeof createWebhookReceiver>>;

/**
 * Starts a receiver on this machine. It answers with the next of `responses`, otherwise with 204.
 * With a `certificate` it uses https.
 */
export async function createWebhookReceiver(certificate?: "good" | "expired", address = "127.0.0.1") {
  const received: Received[] = [];
  const responses: (number | RequestListener)[] = [];
  const answer: RequestListener = (request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (part: string) => (body += part));
    request.on("end", () => {
      received.push({ method: request.method!, path: request.url!, headers: request.headers, body });
      const next = responses.shift() ?? 204;
      if (typeof next === "number") response.writeHead(next).end();
      else next(request, response);
    });
  };
  const server = certificate ? createHttpsServer(createCertificates()[certificate], answer) : createServer(answer);
  server.listen(0, certificate ? "localhost" : address);
  await once(server, "listening");
  endWithTest(async () => server.close().closeAllConnections());
  const { port } = server.address() as { port: number };
  const origin = certificate
    ? `https://localhost:${port}`
    : `http://${address.includes(":") ? `[${address}]` : address}:${port}`;
  return { received, responses, url: `${origin}/hook` };
}
