// The parts of a browser that the code of a page needs, for thousands of pages in this process.
// `fetch` and `WebSocket` know from an AsyncLocalStorage which page's code called them.
import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { Agent, request, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";

import { WebSocket } from "ws";

import type { PageMember } from "./cluster-members.ts";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/**
 * Ports of the running servers, which get new sockets and requests in turn, as from a proxy. `host`
 * is their public address.
 */
export const network: { host: string; ports: readonly number[] } = { host: "", ports: [] };

/** Requests and received bytes of all pages; time of the last answer, as in performance.now(). */
export const traffic = { requests: 0, httpBytes: 0, socketBytes: 0, answeredAt: 0 };

/** Each page has its own connections in reality; more than this would use up the ports. */
const agent = new Agent({ keepAlive: true, maxSockets: 4000 });
const runningPage = new AsyncLocalStorage<PageMember>();
let sockets = 0;

/** Runs code of a member's page, including the timers and callbacks that it starts. */
export function runAs<Result>(member: PageMember, work: () => Result): Result {
  return runningPage.run(member, work);
}

/** Sends a request of the running page. Rejects if the connection breaks. */
export async function send(
  method: "GET" | "POST",
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body = "",
): Promise<Answer> {
  const { cookies, csrfToken } = runningPage.getStore()!;
  const own =
    method === "GET" ? { "accept-encoding": "br" } : { "x-xsrf-token": csrfToken, "content-length": body.length };
  const port = network.ports[(traffic.requests += 1) % network.ports.length];
  const allHeaders = { host: network.host, cookie: cookies, ...own, ...headers };
  const asked = request({ method, host: "127.0.0.1", port, path, agent, headers: allHeaders });
  // Errors reject `once` and `buffer`, and need no further listener.
  asked.on("error", () => undefined).end(body);
  const [response] = (await once(asked, "response")) as [IncomingMessage];
  const content = await buffer(response);
  traffic.httpBytes += content.length + response.rawHeaders.join("  ").length;
  traffic.answeredAt = performance.now();
  return { status: response.statusCode!, headers: response.headers, text: content.toString() };
}

/** A socket of the running page. */
export class PageSocket extends WebSocket {
  constructor(url: string) {
    const { pathname, search } = new URL(url);
    const port = network.ports[sockets++ % network.ports.length]!;
    const { cookies: cookie } = runningPage.getStore()!;
    const headers = { host: network.host, origin: `http://${network.host}`, cookie };
    super(`ws://127.0.0.1:${port}${pathname}${search}`, { headers, perMessageDeflate: false });
    this.on("message", (message: Buffer) => (traffic.socketBytes += message.length));
    // A socket that cannot connect also emits `close`.
    this.on("error", () => undefined);
  }
}

async function fetchAsPage(url: string, init: { headers: object; body: URLSearchParams }): Promise<Response> {
  const headers = { ...init.headers, "content-type": "application/x-www-form-urlencoded" };
  const { status, text } = await send("POST", new URL(url).pathname, headers, init.body.toString());
  return new Response(text, { status });
}

/** Installs the globals that web/client/pusher.ts uses. */
export function installBrowser(): void {
  const document = {
    visibilityState: "visible",
    get cookie() {
      return runningPage.getStore()!.cookies;
    },
    querySelector: () => ({ content: runningPage.getStore()!.csrfToken }),
    addEventListener: () => undefined,
  };
  const location = { protocol: "http:", hostname: "localhost", port: "", origin: "http://localhost" };
  Object.assign(globalThis, { document, window: document, location, WebSocket: PageSocket, fetch: fetchAsPage });
}
