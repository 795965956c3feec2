import { request as httpRequest } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

export interface ClientResponse {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  /** The body as received, still encoded. */
  readonly bytes: Buffer;
  /**
   * The decoded body; "" for a partial response with a content encoding, which cannot be decoded.
   */
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any field of an answer
  readonly json: any;
}

interface ClientRequest {
  readonly body?: string | Buffer;
  readonly headers?: Record<string, string>;
}

/**
 * An HTTP client that keeps cookies and can send the CSRF headers of our pages. The client uses
 * node:http, which lets tests forge headers such as Host.
 */
export class Client {
  readonly cookies = new Map<string, string>();
  /** URL of the server that receives the requests; their Host header may name another server. */
  readonly url: string;
  readonly #headers: Record<string, string>;

  constructor(url: string, headers: Record<string, string>) {
    this.url = url;
    this.#headers = headers;
  }

  get host(): string {
    return this.#headers["host"] ?? new URL(this.url).host;
  }

  /**
   * Returns a copy of this client whose requests go to another port or server, e.g. a second
   * instance or a proxy.
   */
  through(where: number | { readonly url: string }, headers: Record<string, string> = {}): Client {
    const url = typeof where === "number" ? `http://127.0.0.1:${where}` : where.url;
    const same = new Client(url, { ...this.#headers, host: this.host, ...headers });
    for (const [name, value] of this.cookies) same.cookies.set(name, value);
    return same;
  }

  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** The CSRF token that our page would send, from the current cookie. */
  get csrfToken(): string {
    return decodeURIComponent(this.cookies.get("XSRF-TOKEN") ?? "");
  }

  get(path: string, headers: Record<string, string> = {}): Promise<ClientResponse> {
    return this.send("GET", path, { headers });
  }

  /** Posts JSON with the CSRF token, and fetches a token first if the cookie is missing. */
  async post(path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ClientResponse> {
    if (this.csrfToken === "") await this.get("/sanctum/csrf-cookie");
    return this.send("POST", path, {
      ...(body !== undefined && { body: JSON.stringify(body) }),
      headers: {
        "x-xsrf-token": this.csrfToken,
        "x-requested-with": "XMLHttpRequest",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
    });
  }

  delete(path: string, headers: Record<string, string> = {}): Promise<ClientResponse> {
    return this.send("DELETE", path, { headers: { "x-xsrf-token": this.csrfToken, ...headers } });
  }

  send(method: string, path: string, { body, headers }: ClientRequest = {}): Promise<ClientResponse> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        new URL(this.url),
        {
          method,
          path,
          headers: {
            ...this.#headers,
            ...(this.cookies.size > 0 && { cookie: this.cookieHeader }),
            ...(body !== undefined && !headers?.["transfer-encoding"] && { "content-length": Buffer.byteLength(body) }),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            this.#keepCookies(response.headers["set-cookie"] ?? []);
            const bytes = Buffer.concat(chunks);
            const text = decode(bytes, response.headers).toString("utf8");
            const isJson = response.headers["content-type"]?.includes("json") === true && text !== "";
            resolve({
              status: response.statusCode!,
              headers: response.headers,
              bytes,
              text,
              json: isJson ? JSON.parse(text) : undefined,
            });
          });
        },
      );
      request.on("error", reject);
      request.end(body);
    });
  }

  #keepCookies(lines: readonly string[]): void {
    for (const line of lines) {
      const [pair = "", ...attributes] = line.split("; ");
      const [name = "", value = ""] = pair.split("=");
      const isExpired = attributes.some((attribute) => /^(max-age=0|expires=thu, 01 jan 1970)/i.test(attribute));
      if (isExpired) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }
}

function decode(bytes: Buffer, headers: ClientResponse["headers"]): Buffer {
  const encoding = headers["content-encoding"];
  if (encoding === undefined || bytes.length === 0) return bytes;
  if (headers["content-range"] !== undefined) return Buffer.alloc(0);
  if (encoding !== "br" && encoding !== "gzip") throw new Error("An encoding that nobody asked for.");
  return encoding === "br" ? brotliDecompressSync(bytes) : gunzipSync(bytes);
}
