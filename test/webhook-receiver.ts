import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";

import { endWithTest } from "./cleanup.ts";

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type WebhookReceiver = Awaited<ReturnType<typeof createWebhookReceiver>>;

/** Starts a receiver on this machine. It answers with the next of `responses`, otherwise with 204. */
export async function createWebhookReceiver() {
  const received: Received[] = [];
  const responses: (number | RequestListener)[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (part: string) => (body += part));
    request.on("end", () => {
      received.push({ method: request.method!, path: request.url!, headers: request.headers, body });
      const next = responses.shift() ?? 204;
      if (typeof next === "number") response.writeHead(next).end();
      else next(request, response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  endWithTest(async () => server.close().closeAllConnections());
  const { port } = server.address() as { port: number };
  return { received, responses, url: `http://127.0.0.1:${port}/hook` };
}
