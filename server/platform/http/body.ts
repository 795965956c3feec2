import type { FastifyInstance, FastifyRequest } from "fastify";

import type { Endpoint } from "#contract/endpoint.ts";
import { type Refusal, refuse } from "./refusal.ts";

const jsonType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const multipartType = /^multipart\/form-data\s*(?:;|$)/i;
const boundaryPattern = /;\s*boundary=(?:"([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])"|([\w'()+./:=?-]{1,70}))\s*(?:;|$)/i;
const formType = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** Checks what the headers say of the body: its size (413) and its type (415). */
export function checkBodyHeaders({ headers, method }: FastifyRequest, endpoint: Endpoint): void {
  const length = Number(headers["content-length"] ?? 0);
  if (method === "GET" || method === "HEAD") {
    if (length > 0 || headers["transfer-encoding"] !== undefined) throw refuse("M413");
    return;
  }
  if (length > endpoint.maxBody) throw refuseTooLarge(endpoint);
  if (length === 0 && headers["transfer-encoding"] === undefined) {
    delete headers["content-type"];
    return;
  }
  // Bodies are small; a compressed one could unpack to any size.
  if (headers["content-encoding"] !== undefined) throw refuse("M415");
  const type = headers["content-type"] ?? "";
  if (endpoint.file) {
    if (!multipartType.test(type)) throw refuse("M415");
    const boundary = boundaryPattern.exec(type);
    if (!boundary) throw refuseMalformedForm(endpoint);
    headers["content-type"] = `multipart/form-data; boundary="${boundary[1] ?? boundary[2]}"`;
    return;
  }
  const isForm = endpoint.acceptsForm === true && formType.test(type);
  if (!isForm && !jsonType.test(type)) throw refuse("M415");
  headers["content-type"] = isForm ? "application/x-www-form-urlencoded" : "application/json";
}

/** 413; of an upload it is also told at its field, where the form shows it. */
export function refuseTooLarge({ file }: Endpoint): Refusal {
  if (!file) return refuse("M413");
  return refuse("M413", { fields: { [file.field]: [{ text: "V-kb", max: file.maxBytes / 1024 }] } });
}

/** 400: the form is broken; also told at its field. */
export function refuseMalformedForm({ file }: Endpoint): Refusal {
  return refuse("M400", { fields: { [file?.field ?? "body"]: [{ text: "V-up" }] } });
}

/**
 * Parses JSON and, for the endpoints that accept it, forms; both strictly UTF-8 without a byte order mark, a NUL or half a
 * surrogate pair. An empty body is no body. Multipart forms are left to upload.ts.
 */
export function addBodyParsers(app: FastifyInstance): void {
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const parseJson = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    const text = decodeUtf8(utf8, body as Buffer);
    if (text === null) done(refuse("M400"));
    else if (text === "") done(null);
    else
      void parseJson(request, text, (error, value) =>
        error || containsUnstorable(value) ? done(refuse("M400")) : done(null, value),
      );
  });
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "buffer" }, (_request, body, done) => {
    const text = decodeUtf8(utf8, body as Buffer);
    if (text === null || text.includes("%00")) done(refuse("M400"));
    else done(null, Object.fromEntries(new URLSearchParams(text)));
  });
  // Only after the session was checked does upload.ts read the file.
  app.addContentTypeParser(multipartType, (_request, _payload, done) => done(null));
}

function decodeUtf8(decoder: TextDecoder, body: Buffer): string | null {
  try {
    const text = decoder.decode(body);
    return text.startsWith("\ufeff") ? null : text;
  } catch {
    return null;
  }
}

/** Whether a text in it cannot be stored: PostgreSQL takes no NUL, and UTF-8 has no half of a surrogate pair. */
export function containsUnstorable(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\0") || !value.isWellFormed();
  return typeof value === "object" && value !== null && Object.values(value).some(containsUnstorable);
}
