import type { FastifyInstance, FastifyRequest } from "fastify";

import type { Endpoint, FormFile } from "#contract/endpoint.ts";
import type { FieldProblem } from "#contract/errors.ts";
import { type Refusal, refuse } from "./refusal.ts";

const jsonType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const multipartType = /^multipart\/form-data\s*(?:;|$)/i;
const boundaryPattern = /;\s*boundary=(?:"([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])"|([\w'()+./:=?-]{1,70}))\s*(?:;|$)/i;
const formType = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** Checks size (413) and content type (415) before the body is read. */
export function checkBodyHeaders({ headers, method }: FastifyRequest, endpoint: Endpoint): void {
  const length = Number(headers["content-length"] ?? 0);
  if (method === "GET" || method === "HEAD") {
    if (length > 0 || headers["transfer-encoding"] !== undefined) throw refuse("bodyTooLarge");
    return;
  }
  if (length > endpoint.maxBody) throw refuseTooLarge(endpoint);
  if (length === 0 && headers["transfer-encoding"] === undefined) {
    delete headers["content-type"];
    return;
  }
  // Compressed bodies could inflate to any size, and the expected bodies are small.
  if (headers["content-encoding"] !== undefined) throw refuse("unsupportedMediaType");
  const type = headers["content-type"] ?? "";
  if (endpoint.file) {
    if (!multipartType.test(type)) throw refuse("unsupportedMediaType");
    const boundary = boundaryPattern.exec(type);
    if (!boundary) throw refuseMalformedForm(endpoint);
    headers["content-type"] = `multipart/form-data; boundary="${boundary[1] ?? boundary[2]}"`;
    return;
  }
  const isForm = endpoint.acceptsForm === true && formType.test(type);
  if (!isForm && !jsonType.test(type)) throw refuse("unsupportedMediaType");
  headers["content-type"] = isForm ? "application/x-www-form-urlencoded" : "application/json";
}

/** Creates a 413, which the form of an upload shows at its file field. */
export function refuseTooLarge({ file }: Endpoint): Refusal {
  if (!file) return refuse("bodyTooLarge");
  return refuse("bodyTooLarge", { fields: { [file.field]: [tooLargeProblem(file)] } });
}

export function tooLargeProblem({ maxBytes, isLimitInKilobytes }: FormFile): FieldProblem {
  return isLimitInKilobytes
    ? { text: "fileTooLargeInKilobytes", max: maxBytes / 1024 }
    : { text: "fileTooLarge", max: maxBytes / 1024 / 1024 };
}

/** Creates a 400 that the form shows at the file field. */
export function refuseMalformedForm({ file }: Endpoint): Refusal {
  return refuse("invalidRequest", { fields: { [file?.field ?? "body"]: [{ text: "uploadFailed" }] } });
}

/**
 * Parses JSON and URL-encoded forms; upload.ts parses multipart forms. Both parsers require UTF-8 and refuse a byte
 * order mark, NUL and lone surrogates. An empty JSON body becomes `undefined`.
 */
export function addBodyParsers(app: FastifyInstance): void {
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    const text = decodeUtf8(utf8, body as Buffer);
    if (text === null) done(refuse("invalidRequest"));
    else if (text === "") done(null);
    else
      void parseJson(request, text, (error, value) =>
        error || containsUnstorable(value) ? done(refuse("invalidRequest")) : done(null, value),
      );
  });
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "buffer" }, (_request, body, done) => {
    const text = decodeUtf8(utf8, body as Buffer);
    if (text === null || text.includes("%00")) done(refuse("invalidRequest"));
    else done(null, Object.fromEntries(new URLSearchParams(text)));
  });
}

function decodeUtf8(decoder: TextDecoder, body: Buffer): string | null {
  try {
    const text = decoder.decode(body);
    return text.startsWith("\ufeff") ? null : text;
  } catch {
    return null;
  }
}

/** PostgreSQL rejects NUL, and UTF-8 has no lone surrogates. */
export function containsUnstorable(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\0") || !value.isWellFormed();
  return typeof value === "object" && value !== null && Object.values(value).some(containsUnstorable);
}
