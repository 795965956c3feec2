import type { Duplex } from "node:stream";

import type { FastifyReply, FastifyRequest } from "fastify";

import type { Endpoint } from "#contract/endpoint.ts";
import {
  type ErrorBody,
  type FieldErrors,
  type FieldProblems,
  formatProblems,
  type RefusalCode,
  refusals,
  summarize,
} from "#contract/errors.ts";
import { labelsOf } from "#contract/labels.ts";
import { isUnavailable } from "#server/db/connect.ts";
import { OverloadedError } from "#server/platform/batcher.ts";
import { outageFields, type Log } from "#server/platform/log.ts";
import { PictureWorkerError } from "#server/platform/picture-process.ts";
import { Refusal, refuse } from "./refusal.ts";

/** Connections that close after the answer they get: what cannot be parsed after its request is not answered as well. */
const closingSockets = new WeakSet<Duplex>();

/** Answers whatever was thrown: our refusals as they are, the framework's errors with our texts, the rest with 500. */
export function sendError(log: Log, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { endpoint } = request.routeOptions?.config ?? {};
  const refusal = withFileField(toRefusal(error), endpoint);
  const errors = toFieldErrors(refusal, endpoint);
  // Each refused request has a line in the log already; a flood must not add a second one.
  const isRefused = error instanceof Refusal || error instanceof OverloadedError;
  if (refusal.status >= 500 && !isRefused)
    log.error(refusal.status === 503 ? "unavailable" : "failed", { reqId: request.id, ...outageFields(error) });
  const body: ErrorBody = {
    message: refusal.text ?? summarize(errors ?? {}),
    ...(errors && { errors }),
    ...(refusal.status >= 500 && { requestId: request.id }),
  };
  if (mustCloseConnection(request)) {
    reply.header("connection", "close");
    // Node would read more of the body until the answer is sent.
    const { socket } = request.raw;
    socket.on("resume", () => socket.pause()).pause();
    closingSockets.add(socket);
  } else if (!reply.raw.shouldKeepAlive) {
    readToEnd(request);
    // What follows gets no answer of its own.
    closingSockets.add(request.raw.socket);
  }
  if (refusal.retryAfterSeconds !== undefined) reply.header("retry-after", refusal.retryAfterSeconds);
  const range = (error as { headers?: Record<string, string> }).headers?.["Content-Range"];
  if (range !== undefined) reply.header("content-range", range);
  reply
    .code(refusal.status)
    .header("cache-control", "no-store")
    .header("vary", "Cookie")
    .type("application/json; charset=utf-8")
    .send(body);
}

/** This much of a body beyond its limit is still read: a client whose connection is cut while it sends may miss the answer. */
const maxDrainedBytes = 16 * 1024 * 1024;

/** Node would cut a connection that is to close after the answer, and a client that is still sending would miss it. */
function readToEnd({ raw }: FastifyRequest): void {
  const { socket } = raw;
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (raw.complete) return destroySoon();
    socket.end();
    raw.once("close", destroySoon);
  };
}

/** Whether the rest of the body is too large to read, or of unknown size. */
function mustCloseConnection({ headers, raw, routeOptions }: FastifyRequest): boolean {
  if (raw.complete) return false;
  const limit = (routeOptions?.bodyLimit ?? 0) + maxDrainedBytes;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > limit;
}

/** The sentences about the fields. A 422 that is about none of them says it of the whole body. */
function toFieldErrors({ status, text, fields }: Refusal, endpoint: Endpoint | undefined): FieldErrors | undefined {
  if (fields) return formatProblems(fields, endpoint ? labelsOf(endpoint) : {});
  return status === refusals.M422.status ? { body: [text!] } : undefined;
}

/** An upload that failed on our side is also told at its field, where the form shows it. */
function withFileField(refusal: Refusal, endpoint: Endpoint | undefined): Refusal {
  if (refusal.status !== 503 || !endpoint?.file) return refusal;
  const fields: FieldProblems = { [endpoint.file.field]: [{ text: "V-up" }] };
  return new Refusal(refusal.status, refusal.text, fields, refusal.retryAfterSeconds);
}

const diskErrorCodes = new Set([
  "ENOSPC",
  "EDQUOT",
  "EROFS",
  "EACCES",
  "EPERM",
  "EIO",
  "EMFILE",
  "ENFILE",
  "EEXIST",
  "ENOTDIR",
]);

/** Whether a write failed because the disk is full or not writable. */
export function isDiskError(error: unknown): boolean {
  return error instanceof Error && "code" in error && diskErrorCodes.has(String(error.code));
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { statusCode, code } = error as { statusCode?: number; code?: string };
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return refuse("M413");
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return refuse("M415");
  if (statusCode === 408) return refuse("M408");
  if (statusCode === 416) return refuse("M416");
  // Before the outages: a client that disconnects within its body looks like a lost connection to the database.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return refuse("M400");
  const isOnOurSide = error instanceof OverloadedError || error instanceof PictureWorkerError;
  if (isOnOurSide || isUnavailable(error) || isDiskError(error)) return refuse("M503", { seconds: 1 });
  return refuse("M500");
}

const parserErrorCodes: Record<string, RefusalCode> = {
  HPE_HEADER_OVERFLOW: "M431",
  ERR_HTTP_REQUEST_TIMEOUT: "M408",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "M413",
};

/** Answers what node:http could not parse in the shape of every error, with the headers of every answer, and closes. */
export function createParserErrorHandler(headers: Readonly<Record<string, string>>) {
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return (error: Error & { code?: string }, socket: Duplex): void => {
    if (closingSockets.has(socket)) {
      // Answered long ago, and the rest of the body never came.
      if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") socket.destroy();
      return;
    }
    // A client that disconnected within a body may have been answered already.
    if (error.code === "ECONNRESET" || error.code === "HPE_INVALID_EOF_STATE" || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, text } = refusals[parserErrorCodes[error.code ?? ""] ?? "M400"];
    const body = JSON.stringify({ message: text });
    socket.end(
      `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json; charset=utf-8\r\ncache-control: no-store\r\nvary: Cookie\r\n` +
        `${headerLines.join("")}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      // Even if the client never closes its side.
      () => socket.destroy(),
    );
  };
}
