import type { FastifyInstance, FastifyRequest } from "fastify";

import type { Endpoint } from "#contract/endpoint.ts";
import { fieldText, refusals } from "#contract/errors.ts";
import { Refusal, refuse } from "./refusal.ts";

const jsonType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
const multipartType = /^multipart\/form-data\s*(?:;|$)/i;
const boundaryPattern = /;\s*boundary=(?:"([\w'()+,./:=? -]{0,69}[\w'()+,./:=?-])"|([\w'()+./:=?-]{1,70}))\s*(?:;|$)/i;
const formType = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** What can be told before the body is read: its size (413) and its type (415). */
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
  // No compressed bodies: ours are small, and a bomb is smaller.
  if (headers["content-encoding"] !== undefined) throw refuse("M415");
  const type = headers["content-type"] ?? "";
  if (endpoint.accepts === "multipart") {
    if (!multipartType.test(type)) throw refuse("M415");
    const boundary = boundaryPattern.exec(type);
    if (!boundary) throw refuseMalformedForm(endpoint);
    headers["content-type"] = `multipart/form-data; boundary="${boundary[1] ?? boundary[2]}"`;
    return;
  }
  const isForm = endpoint.accepts === "form" && formType.test(type);
  if (!isForm && !jsonType.test(type)) throw refuse("M415");
  headers["content-type"] = isForm ? "application/x-www-form-urlencoded" : "application/json";
}

/** 413, and for an upload the same at its field, where the form looks for it. */
export function refuseTooLarge({ fileField, maxFile = 0 }: Endpoint): Refusal {
  if (fileField === undefined) return refuse("M413");
  const text = fieldText("V-kb", fileField, { max: maxFile / 1024 });
  return new Refusal(refusals.M413.status, refusals.M413.text, { [fileField]: [text] });
}

/** 400: the form is broken. Said at its file too, where the page looks for it. */
export function refuseMalformedForm({ fileField = "body" }: Endpoint): Refusal {
  return new Refusal(refusals.M400.status, refusals.M400.text, { [fileField]: [fieldText("V-up", fileField)] });
}

/** JSON and, for the calls that accept it, forms; both strictly UTF-8 without a byte order mark or NUL. An empty body is none; files wait unread. */
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
        error || containsNul(value) ? done(refuse("M400")) : done(null, value),
      );
  });
  app.addContentTypeParser("application/x-www-form-urlencoded", { parseAs: "buffer" }, (_request, body, done) => {
    const text = decodeUtf8(utf8, body as Buffer);
    if (text === null || text.includes("%00")) done(refuse("M400"));
    else done(null, Object.fromEntries(new URLSearchParams(text)));
  });
  // Whoever sends a file is asked for a session first; upload.ts reads it then.
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

/** Nobody types it, and PostgreSQL cannot store it. */
export function containsNul(value: unknown): boolean {
  if (typeof value === "string") return value.includes("\0");
  return typeof value === "object" && value !== null && Object.values(value).some(containsNul);
}
