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
import { megabytes } from "#contract/sizes.ts";
import { isUnavailable } from "#server/db/connect.ts";
import { OverloadedError } from "#server/platform/jobs/batcher.ts";
import { outageFields, type Log } from "#server/platform/log.ts";
import { WorkerError } from "#server/platform/workers/worker-process.ts";
import { Refusal, refuse } from "./refusal.ts";
import { describeUnlistedAddress } from "./unlisted-page.ts";

/** Sockets that close after their last answer. A later parser error on them gets no second answer. */
const closingSockets = new WeakSet<Duplex>();

/** Refusals determine their answer; errors of Fastify get our texts, outages 503, and all other errors 500. */
export function sendError(log: Log, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { endpoint } = request.routeOptions?.config ?? {};
  const refusal = withFileField(toRefusal(error), endpoint);
  const errors = toFieldErrors(refusal, endpoint);
  // logRequest() already logs a line for each refusal; a flood of refused requests would double the log.
  const isRefused = error instanceof Refusal || error instanceof OverloadedError;
  if (refusal.status >= 500 && !isRefused)
    log.error(refusal.status === 503 ? "unavailable" : "failed", { reqId: request.id, ...outageFields(error) });
  const body: ErrorBody = {
    message: refusal.text ?? summarize(errors ?? {}),
    code: refusal.code,
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
    // Ignores pipelined requests on this socket.
    closingSockets.add(request.raw.socket);
  }
  if (refusal.retryAfterSeconds !== undefined) reply.header("retry-after", refusal.retryAfterSeconds);
  const range = (error as { headers?: Record<string, string> }).headers?.["Content-Range"];
  if (range !== undefined) reply.header("content-range", range);
  const page = refusal.code === "misdirectedRequest" ? describeUnlistedAddress(request) : null;
  reply
    .code(refusal.status)
    .header("cache-control", "no-store")
    .header("vary", "Cookie")
    .type(page === null ? "application/json; charset=utf-8" : "text/html; charset=utf-8")
    .send(page ?? body);
}

/** A client that is disconnected while it sends may miss the answer, so this much of a refused body is still read. */
const maxDrainedBytes = megabytes(16);

/** Reads the rest of the body before the socket closes; otherwise a client that still sends would miss the answer. */
function readToEnd({ raw }: FastifyRequest): void {
  const { socket } = raw;
  const destroySoon = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    if (raw.complete) return destroySoon();
    socket.end();
    raw.once("close", destroySoon);
  };
}

/** `true` if the rest of the body is too large to read, or of unknown size. */
function mustCloseConnection({ headers, raw, routeOptions }: FastifyRequest): boolean {
  if (raw.complete) return false;
  const limit = (routeOptions?.bodyLimit ?? 0) + maxDrainedBytes;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > limit;
}

/** German. A 422 without fields gets its text under the name `body`. */
function toFieldErrors({ status, text, fields }: Refusal, endpoint: Endpoint | undefined): FieldErrors | undefined {
  if (fields) return formatProblems(fields, endpoint ? labelsOf(endpoint) : {});
  return status === refusals.invalidFields.status ? { body: [text!] } : undefined;
}

/** Makes the form show the 503 of an upload at the file field. */
function withFileField(refusal: Refusal, endpoint: Endpoint | undefined): Refusal {
  if (refusal.status !== 503 || !endpoint?.file) return refusal;
  const fields: FieldProblems = { [endpoint.file.field]: [{ text: "uploadFailed" }] };
  return new Refusal(refusal.code, refusal.text, fields, refusal.retryAfterSeconds);
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

/** `true` for reasons outside this program, e.g. a full or read-only disk. */
export function isDiskError(error: unknown): boolean {
  return error instanceof Error && "code" in error && diskErrorCodes.has(String(error.code));
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { statusCode, code } = error as { statusCode?: number; code?: string };
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return refuse("bodyTooLarge");
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return refuse("unsupportedMediaType");
  if (statusCode === 408) return refuse("requestTimeout");
  if (statusCode === 416) return refuse("rangeNotSatisfiable");
  // Must precede isUnavailable(): a client that disconnects while sending its body causes an error like a lost database
  // connection.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return refuse("invalidRequest");
  const isOnOurSide = error instanceof OverloadedError || error instanceof WorkerError;
  if (isOnOurSide || isUnavailable(error) || isDiskError(error)) return refuse("unavailable", { seconds: 1 });
  return refuse("internalError");
}

const parserErrorCodes: Record<string, RefusalCode> = {
  HPE_HEADER_OVERFLOW: "headersTooLarge",
  ERR_HTTP_REQUEST_TIMEOUT: "requestTimeout",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "bodyTooLarge",
};

/** Handles requests that node:http cannot parse. Answers in the usual JSON format and closes the connection. */
export function createParserErrorHandler(headers: Readonly<Record<string, string>>) {
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return (error: Error & { code?: string }, socket: Duplex): void => {
    if (closingSockets.has(socket)) {
      // The answer was sent, but the rest of the request's body never arrived.
      if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") socket.destroy();
      return;
    }
    // A client that disconnected while sending its body may already have an answer.
    if (error.code === "ECONNRESET" || error.code === "HPE_INVALID_EOF_STATE" || !socket.writable) {
      socket.destroy();
      return;
    }
    const code = parserErrorCodes[error.code ?? ""] ?? "invalidRequest";
    const { status, text } = refusals[code];
    const body = JSON.stringify({ message: text, code } satisfies ErrorBody);
    socket.end(
      `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json; charset=utf-8\r\ncache-control: no-store\r\nvary: Cookie\r\n` +
        `${headerLines.join("")}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      // Closes the socket even if the client never does.
      () => socket.destroy(),
    );
  };
}
