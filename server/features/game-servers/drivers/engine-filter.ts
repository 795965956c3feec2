import { chmodSync, lstatSync, rmSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";

import { CommandRefusedError } from "#server/platform/command.ts";
import type { Log } from "#server/platform/log.ts";
import { createServer } from "#server/platform/node-http.ts";
import { minutes } from "#server/time.ts";
import { containerName, inspectContainer, portTakenMessage, readRefusal, toRefusalReason } from "./docker.ts";
import { EngineUnreachableError, maxGraceSeconds, stopTimeoutMs } from "./driver.ts";
import { createEngineClient, type EngineClient, filterHeader } from "./engine-client.ts";

interface Options {
  readonly engineUrl: string;
  /** Accessible only to its owner and group. */
  readonly socket: string;
  readonly names: readonly string[];
  readonly log: Log;
}

const inspectMs = 5_000;
const startMs = minutes(1);
/** More than the app adds to the grace period, so that the app times out first. */
const stopMarginSeconds = 30;
/** Time after which silent clients are disconnected. */
const silenceMs = 5_000;
const maxConnections = 256;

type AllowedRequest =
  | { readonly action: "ping" }
  | { readonly action: "json" | "start" | "stop"; readonly name: string; readonly query: string };

/**
 * Forwards only ping, inspect, start and stop, and answers 403 to all else. Writes each request anew, so that the
 * engine never receives the client's bytes.
 */
export async function createEngineFilter({ engineUrl, socket, names, log }: Options): Promise<Server> {
  await removeStaleSocket(socket);
  const engine = createEngineClient(engineUrl);
  const allowed = new Set(names.filter((name) => containerName.test(name)));

  const server = createServer({ headersTimeout: silenceMs, requestTimeout: silenceMs, requireHostHeader: false });
  server.maxConnections = maxConnections;
  server.on("request", (request, response) => {
    const allowedRequest = parseRequest(request, allowed);
    if (allowedRequest) return void forward(engine, allowedRequest, response);
    log.warn("engine-filter-refused", { method: request.method, url: request.url?.slice(0, 200) });
    refuse(response);
  });
  // `node:http` would answer these automatically.
  const refuseInAnyCase = (_: IncomingMessage, response: ServerResponse) => refuse(response);
  server.on("checkContinue", refuseInAnyCase).on("checkExpectation", refuseInAnyCase);
  server.on("connect", (_, stream) => refuseBytes(stream));
  server.on("clientError", (_, stream) => refuseBytes(stream));

  await new Promise<void>((resolve, reject) => void server.once("error", reject).listen(socket, resolve));
  chmodSync(socket, 0o660);
  return server;
}

function parseRequest(
  { method, url = "", headers, httpVersion }: IncomingMessage,
  allowed: ReadonlySet<string>,
): AllowedRequest | null {
  const hasBody = headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";
  const isUpgrade = headers.upgrade !== undefined || /upgrade/i.test(headers.connection ?? "");
  if (hasBody || isUpgrade || httpVersion !== "1.1" || headers.host === undefined) return null;
  if (method === "GET" && /^(\/v1\.(4[1-9]|[5-9]\d))?\/_ping$/.test(url)) return { action: "ping" };
  const match = /^\/v1\.(?:4[1-9]|[5-9]\d)\/containers\/([A-Za-z0-9_.-]+)\/(json|start|stop)(\?t=\d{1,4})?$/.exec(url);
  const [, name = "", action, query = ""] = match ?? [];
  if (!allowed.has(name)) return null;
  if (action === "json" && method === "GET" && query === "") return { action, name, query };
  if (action === "start" && method === "POST" && query === "") return { action, name, query };
  return action === "stop" && method === "POST" ? { action, name, query } : null;
}

async function forward(engine: EngineClient, request: AllowedRequest, response: ServerResponse): Promise<void> {
  response.setHeader("connection", "close");
  try {
    if (request.action === "ping") return await ping(engine, response);
    const { action, name, query } = request;
    const container = await inspectContainer(engine, name, inspectMs);
    if (typeof container === "number") return void response.writeHead(container === 404 ? 404 : 502).end();
    if (action === "json") {
      return void response.setHeader("content-type", "application/json").end(JSON.stringify(container));
    }
    const graceSeconds = Number(query.slice("?t=".length) || maxGraceSeconds);
    const timeoutMs = action === "start" ? startMs : stopTimeoutMs(graceSeconds, stopMarginSeconds);
    const { status, body } = await engine.request("POST", `/containers/${name}/${action}${query}`, timeoutMs);
    // The engine's own text names paths of the machine.
    const isPortTaken = toRefusalReason(status, readRefusal(body)) === "portTaken";
    response.writeHead(status).end(isPortTaken ? JSON.stringify({ message: portTakenMessage }) : undefined);
  } catch (error) {
    if (!response.headersSent) response.writeHead(error instanceof EngineUnreachableError ? 504 : 502).end();
  }
}

async function ping(engine: EngineClient, response: ServerResponse): Promise<void> {
  if (await engine.ping(inspectMs)) response.writeHead(200, { "api-version": "1.41", [filterHeader]: "1" }).end("OK");
  else response.writeHead(504).end();
}

function refuse(response: ServerResponse): void {
  response.writeHead(403, { connection: "close", "content-length": 0 }).end();
}

function refuseBytes(stream: Duplex): void {
  if (stream.writable) stream.end("HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
  stream.on("error", () => stream.destroy());
}

/** Removes the socket of a killed filter; refuses another file or a socket in use. */
async function removeStaleSocket(socket: string): Promise<void> {
  const existing = lstatSync(socket, { throwIfNoEntry: false });
  if (!existing) return;
  const isListening = await new Promise<boolean>((resolve) => {
    const probe = connect(socket, () => resolve(true));
    probe.on("error", () => resolve(false)).on("connect", () => probe.destroy());
  });
  if (!existing.isSocket() || isListening)
    throw new CommandRefusedError(`--listen: there is something else at ${socket}.`);
  rmSync(socket);
}
