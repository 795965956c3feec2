import { chmodSync, lstatSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";

import * as z from "zod/mini";

import type { Log } from "#server/platform/log.ts";
import { containerName } from "./docker.ts";
import { EngineUnreachableError } from "./driver.ts";
import { type EngineClient, createEngineClient } from "./engine-client.ts";

/** Something other than an abandoned socket is where the filter shall listen. */
export class SocketInUseError extends Error {}

interface Options {
  readonly engineUrl: string;
  /** Where to listen, for owner and group. */
  readonly socket: string;
  /** The containers that may be looked at, started and stopped. */
  readonly names: readonly string[];
  readonly log: Log;
}

const inspectMs = 5_000;
const startMs = 60_000;
const unknownGraceSeconds = 300;
const marginSeconds = 30;
/** For those who say nothing after connecting. */
const silenceMs = 5_000;
const maxConnections = 256;

/** What is passed on of an inspection: no environment, mounts, labels or error texts. */
const inspection = z.object({
  Name: z.string(),
  State: z.object({
    Status: z.string(),
    Running: z.boolean(),
    Paused: z.optional(z.boolean()),
    OOMKilled: z.optional(z.boolean()),
    ExitCode: z.optional(z.int()),
    StartedAt: z.optional(z.string()),
    Health: z.optional(z.nullable(z.object({ Status: z.string() }))),
  }),
});

type AllowedRequest =
  | { readonly does: "ping" }
  | { readonly does: "json" | "start" | "stop"; readonly name: string; readonly query: string };

/**
 * Listens on a socket and passes four requests on to an engine, which never sees what was sent: it is asked anew. Everything else,
 * whatever it looks like, is 403.
 */
export async function createEngineFilter({ engineUrl, socket, names, log }: Options): Promise<Server> {
  await removeStaleSocket(socket);
  const engine = createEngineClient(engineUrl);
  const allowed = new Set(names.filter((name) => containerName.test(name)));

  const server = createServer({ headersTimeout: silenceMs, requestTimeout: silenceMs, requireHostHeader: false });
  server.maxConnections = maxConnections;
  server.on("request", (request, response) => {
    const wish = parseRequest(request, allowed);
    if (wish) return void forward(engine, wish, response);
    log.warn("engine-filter-refused", { method: request.method, url: request.url?.slice(0, 200) });
    refuse(response);
  });
  // What the server would otherwise answer or begin by itself.
  const refuseInAnyCase = (_: IncomingMessage, response: ServerResponse) => refuse(response);
  server.on("checkContinue", refuseInAnyCase).on("checkExpectation", refuseInAnyCase);
  server.on("connect", (_, stream) => refuseBytes(stream));
  server.on("clientError", (_, stream) => refuseBytes(stream));

  await new Promise<void>((resolve, reject) => void server.once("error", reject).listen(socket, resolve));
  chmodSync(socket, 0o660);
  return server;
}

/** What is wished for, if it is one of the four to the letter; null for everything else. */
function parseRequest(
  { method, url = "", headers, httpVersion }: IncomingMessage,
  allowed: ReadonlySet<string>,
): AllowedRequest | null {
  const hasBody = headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
  const wantsMore = headers.upgrade !== undefined || /upgrade/i.test(headers.connection ?? "");
  if (hasBody || wantsMore || httpVersion !== "1.1" || headers.host === undefined) return null;
  if (method === "GET" && /^(\/v1\.(4[1-9]|[5-9]\d))?\/_ping$/.test(url)) return { does: "ping" };
  const wish = /^\/v1\.(?:4[1-9]|[5-9]\d)\/containers\/([A-Za-z0-9_.-]+)\/(json|start|stop)(\?t=\d{1,4})?$/.exec(url);
  const [, name = "", does, query = ""] = wish ?? [];
  if (!allowed.has(name)) return null;
  if (does === "json" && method === "GET" && query === "") return { does, name, query };
  if (does === "start" && method === "POST" && query === "") return { does, name, query };
  return does === "stop" && method === "POST" ? { does, name, query } : null;
}

async function forward(engine: EngineClient, wish: AllowedRequest, response: ServerResponse): Promise<void> {
  response.setHeader("connection", "close");
  try {
    if (wish.does === "ping") return await ping(engine, response);
    const found = await inspect(engine, wish.name);
    if (typeof found === "number") return void response.writeHead(found).end();
    if (wish.does === "json") {
      return void response.setHeader("content-type", "application/json").end(JSON.stringify(found));
    }
    const seconds = Number(wish.query.slice("?t=".length) || unknownGraceSeconds);
    const timeoutMs = wish.does === "start" ? startMs : (seconds + marginSeconds) * 1000;
    const { status } = await engine.request("POST", `/containers/${wish.name}/${wish.does}${wish.query}`, timeoutMs);
    response.writeHead(status).end();
  } catch (error) {
    if (!response.headersSent) response.writeHead(error instanceof EngineUnreachableError ? 504 : 502).end();
  }
}

/** The filter speaks as much of the interface as it lets through. */
async function ping(engine: EngineClient, response: ServerResponse): Promise<void> {
  if (await engine.ping(inspectMs)) response.writeHead(200, { "api-version": "1.41" }).end("OK");
  else response.writeHead(504).end();
}

/** The container of exactly this name, cut down to what may be known; otherwise the status to answer with. */
async function inspect(engine: EngineClient, name: string): Promise<z.output<typeof inspection> | number> {
  const { status, body } = await engine.request("GET", `/containers/${name}/json`, inspectMs);
  if (status !== 200) return status === 404 ? 404 : 502;
  const found = inspection.parse(JSON.parse(body));
  // Engines take the beginning of an id for a name too.
  return found.Name === `/${name}` ? found : 404;
}

function refuse(response: ServerResponse): void {
  response.writeHead(403, { connection: "close", "content-length": 0 }).end();
}

function refuseBytes(stream: Duplex): void {
  if (stream.writable) stream.end("HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
  stream.on("error", () => stream.destroy());
}

/** Removes the socket of a filter that was killed. */
async function removeStaleSocket(socket: string): Promise<void> {
  const there = lstatSync(socket, { throwIfNoEntry: false });
  if (!there) return;
  const isListening = await new Promise<boolean>((resolve) => {
    const probe = connect(socket, () => resolve(true));
    probe.on("error", () => resolve(false)).on("connect", () => probe.destroy());
  });
  if (!there.isSocket() || isListening) throw new SocketInUseError();
  rmSync(socket);
}
