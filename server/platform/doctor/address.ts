import { randomInt } from "node:crypto";

import { WebSocket } from "ws";

import { getGroupConfig } from "#contract/group-config.ts";
import { getHealth, getReadiness } from "#contract/health.ts";
import type { Config } from "#server/config.ts";
import { embeddedKey } from "#server/platform/realtime/create-realtime.ts";
import { CheckFailure } from "./check.ts";

const timeoutMs = 5000;

export async function checkServer(config: Config): Promise<string> {
  const place = `${config.host}:${config.port}`;
  const answer = await fetchWithTimeout(new URL(getReadiness.path, localOrigin(config))).catch(() => null);
  if (answer === null)
    throw new CheckFailure(
      `No server answers on ${place}. Start it; if it does not stay up, the last lines of its log say why. ` +
        "If it listens elsewhere, run doctor with its HOST and PORT.",
    );
  if (answer.status === 503)
    throw new CheckFailure(`The server on ${place} is not ready. The reason is in its log: not-ready, or stopping.`);
  if (!isOk(answer.status, await answer.text()))
    throw new CheckFailure(`Something else answers on ${place} (${answer.status}). Stop it, or choose another PORT.`);
  return `answers on ${place} and is ready`;
}

function localOrigin({ host, port }: Config): string {
  const local = { "0.0.0.0": "127.0.0.1", "::": "[::1]" }[host] ?? (host.includes(":") ? `[${host}]` : host);
  return `http://${local}:${port}`;
}

function isOk(status: number, text: string): boolean {
  return status === 200 && text.startsWith('{"status":"ok"');
}

/** Also compares the Date header with this computer's clock. */
export async function checkAddress({ appUrl }: Config): Promise<string> {
  const answer = await fetchWithTimeout(new URL(getHealth.path, appUrl)).catch((error: unknown) => {
    const { code = "no answer" } = (error as { cause?: { code?: string } }).cause ?? {};
    const hint = /CERT|SIGN|SSL|TLS/.test(code)
      ? "The proxy has no valid certificate for this name. Its log says why."
      : "Is the proxy running, and does the name resolve to it?";
    throw new CheckFailure(`The server runs, but ${appUrl.origin} is not reachable from here (${code}). ${hint}`);
  });
  if (!isOk(answer.status, await answer.text()))
    throw new CheckFailure(`${appUrl.origin} answers ${answer.status}: something else is answering there.`);
  const apart = Math.round((Date.now() - Date.parse(answer.headers.get("date") ?? "")) / 1000);
  if (Math.abs(apart) > 5)
    throw new CheckFailure(`This machine's clock and that of ${appUrl.origin} are ${apart} s apart.`);
  return `${appUrl.origin} reaches this server`;
}

/** Each instance counts separately, so several requests are needed until one instance has answered two. */
const maxProxyRequests = 12;

/** Uses the range for network tests. Random, so that the rate limit does not count requests of earlier runs. */
function randomAddress(): string {
  return `198.18.${randomInt(256)}.${randomInt(256)}`;
}

/** Fails if the proxy does not forward the Host header, or forwards an address that the client invented. */
export async function checkProxy({ appUrl, trustProxy }: Config): Promise<string> {
  const url = new URL(getGroupConfig.path, appUrl);
  const request = () => fetchWithTimeout(url, { "x-forwarded-for": randomAddress() });
  const first = await request();
  if (first.status === 421)
    throw new CheckFailure(
      "The proxy does not forward the Host header (nginx: proxy_set_header Host $http_host), or the server was not restarted after a change of APP_URL.",
    );
  if (first.status !== 200) throw new CheckFailure(`${url.href} is answered with ${first.status} instead of 200.`);
  const isBehindProxy = appUrl.protocol === "https:";
  if (isBehindProxy && trustProxy.length === 0)
    throw new CheckFailure(
      "APP_URL is https, so there is a proxy, but TRUST_PROXY is empty: all clients share one address and its rate limits.",
    );
  const remaining = ({ headers }: Response) => headers.get("x-ratelimit-remaining");
  for (let sent = 1; sent < maxProxyRequests; sent += 1) {
    if (remaining(await request()) === remaining(first)) continue;
    if (trustProxy.length === 0) return "no proxy";
    return `trusted: ${trustProxy.join(", ")}; clients cannot fake their address`;
  }
  throw new CheckFailure(
    "The proxy forwards X-Forwarded-For as clients send it, so clients can fake their address. Configure it to overwrite the header.",
  );
}

export async function checkSockets({ appUrl, realtimeUrl }: Config): Promise<string> {
  if (realtimeUrl) return `through ${realtimeUrl.host}`;
  const url = new URL(`/app/${embeddedKey}?protocol=7&client=doctor`, appUrl);
  url.protocol = appUrl.protocol === "https:" ? "wss:" : "ws:";
  const socket = new WebSocket(url, { origin: appUrl.origin, handshakeTimeout: timeoutMs });
  await new Promise<void>((resolve, reject) => {
    socket.once("message", () => resolve());
    socket.once("unexpected-response", (_, { statusCode }) => reject(upgradeFailure(`${statusCode}`)));
    socket.once("error", (error: NodeJS.ErrnoException) => reject(upgradeFailure(error.code ?? "no answer")));
    socket.once("close", (code) => reject(upgradeFailure(`${code}`)));
  }).finally(() => socket.terminate());
  return "WebSockets work";
}

function upgradeFailure(why: string): CheckFailure {
  return new CheckFailure(`WebSockets do not work (${why}). The proxy must forward Upgrade and Connection.`);
}

function fetchWithTimeout(url: string | URL, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { headers, redirect: "manual", signal: AbortSignal.timeout(timeoutMs) });
}
