import type { Duplex } from "node:stream";

import type { FastifyReply, FastifyRequest } from "fastify";

import { type ErrorBody, fieldText, type RefusalCode, refusals } from "#contract/errors.ts";
import { isUnavailable } from "#server/db/connect.ts";
import { OverloadedError } from "#server/platform/batcher.ts";
import { errorFields, type Log } from "#server/platform/log.ts";
import { Refusal, refuse } from "./refusal.ts";

/** Everything that is thrown ends here: our refusals as they are, the framework's in our words, the rest as 500. */
export function sendError(log: Log, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = withFileField(toRefusal(error), request);
  // A flood is no reason to fill the log: each of its requests has a line already.
  if (refusal.status >= 500 && !(error instanceof OverloadedError))
    log.error(refusal.status === 503 ? "unavailable" : "failed", { reqId: request.id, ...errorFields(error) });
  const body: ErrorBody = {
    message: refusal.message,
    ...(refusal.errors && { errors: refusal.errors }),
    ...(refusal.status >= 500 && { requestId: request.id }),
  };
  if (mustCloseConnection(request)) reply.header("connection", "close");
  if (refusal.retryAfterSeconds !== undefined) reply.header("retry-after", refusal.retryAfterSeconds);
  reply
    .code(refusal.status)
    .header("cache-control", "no-store")
    .header("vary", "Cookie")
    .type("application/json; charset=utf-8")
    .send(body);
}

/** This much of a body beyond its limit is still read: a client that is cut off while it sends may not hear why. */
const maxDrainedBytes = 16 * 1024 * 1024;

/** Whether more of the body is to come than anybody will wait for: too much, or who knows how much. */
function mustCloseConnection({ headers, raw, routeOptions }: FastifyRequest): boolean {
  if (raw.complete) return false;
  const limit = (routeOptions?.bodyLimit ?? 0) + maxDrainedBytes;
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > limit;
}

/** An upload that failed on our side says so where the form looks for it. */
function withFileField(refusal: Refusal, request: FastifyRequest): Refusal {
  const { fileField } = request.routeOptions?.config ?? {};
  if (refusal.status !== 503 || fileField === undefined) return refusal;
  const errors = { [fileField]: [fieldText("V-up", fileField)] };
  return new Refusal(refusal.status, refusal.message, errors, refusal.retryAfterSeconds);
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

/** Whether the disk would not take something: it is full, or not ours to write on. */
export function isDiskError(error: unknown): boolean {
  return error instanceof Error && "code" in error && diskErrorCodes.has(String(error.code));
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { statusCode, code } = error as { statusCode?: number; code?: string };
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return refuse("M413");
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return refuse("M415");
  if (statusCode === 408) return refuse("M408");
  // Before the outages: a client that hangs up in the middle of its body looks like a connection lost to the database.
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return refuse("M400");
  if (error instanceof OverloadedError || isUnavailable(error) || isDiskError(error))
    return refuse("M503", { seconds: 1 });
  return refuse("M500");
}

const parserErrorCodes: Record<string, RefusalCode> = {
  HPE_HEADER_OVERFLOW: "M431",
  ERR_HTTP_REQUEST_TIMEOUT: "M408",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "M413",
};

/** What node:http could not even parse: answered in our shape, with the headers of every answer, then closed. */
export function createParserErrorHandler(headers: Readonly<Record<string, string>>) {
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return (error: Error & { code?: string }, socket: Duplex): void => {
    // Who hung up in the middle of a body may have been answered already.
    if (error.code === "ECONNRESET" || error.code === "HPE_INVALID_EOF_STATE" || !socket.writable) {
      socket.destroy();
      return;
    }
    const { status, text } = refusals[parserErrorCodes[error.code ?? ""] ?? "M400"];
    const body = JSON.stringify({ message: text });
    socket.end(
      `HTTP/1.1 ${status} Refused\r\ncontent-type: application/json; charset=utf-8\r\ncache-control: no-store\r\n` +
        `${headerLines.join("")}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      // Not left open for a client that never hangs up on its side.
      () => socket.destroy(),
    );
  };
}
